"""--part I/N of a script: each Nth of its cases, from the Ith on, counted from 0. heddle_parts of cmake/HeddleTest.cmake makes
N tests of a script with it."""

import argparse


def part(text):
    try:
        first, parts = map(int, text.split("/"))
    except ValueError:
        first, parts = 0, 0
    if not 0 <= first < parts:
        raise argparse.ArgumentTypeError(f"{text} is no part: I/N with I from 0 to N - 1")
    return slice(first, None, parts)


def add_part(parser):
    parser.add_argument("--part", metavar="I/N", type=part, default=slice(None), help="each Nth of the cases, from the Ith on")
