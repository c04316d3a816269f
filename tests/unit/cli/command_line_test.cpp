#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace heddle::cli {
namespace {

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    parse_check(arguments);
  } catch (const UserError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Options, Defaults) {
  const Options o = parse_check({"a.c"});
  EXPECT_EQ(o.files, std::vector<std::string>{"a.c"});
  EXPECT_EQ(o.model, "rc11");
  EXPECT_EQ(o.algorithm, "spore");
  EXPECT_EQ(o.races, "report");
  EXPECT_EQ(o.format, "text");
  EXPECT_TRUE(o.unroll.empty());
  EXPECT_FALSE(o.max_executions || o.time_limit || o.nondet);
  EXPECT_FALSE(o.keep_going || o.spurious_cas || o.verbose || o.print_ir || o.help);
}

TEST(Options, BuildAndCache) {
  EXPECT_FALSE(parse_check({"a.c"}).build.has_value());
  EXPECT_FALSE(parse_check({"a.c"}).no_cache);
  EXPECT_EQ(parse_check({"-p", "out", "a.c"}).build, "out");
  const Options o = parse_check({"a.c", "--build=out", "--no-cache"});
  EXPECT_EQ(o.build, "out");
  EXPECT_TRUE(o.no_cache);
  EXPECT_NE(refusal({"a.c", "-p"}), "accepted");
}

TEST(Options, EverythingInAnyOrder) {
  const Options o = parse_check({"--model", "sc", "a.c", "--unroll=3", "b.cpp", "--time-limit", "1.5", "--keep-going",
                                 "--max-executions", "9", "--races", "ignore", "--format", "json", "--nondet", "4"});
  EXPECT_EQ(o.files, (std::vector<std::string>{"a.c", "b.cpp"}));
  EXPECT_EQ(o.model, "sc");
  ASSERT_EQ(o.unroll.size(), 1u);
  EXPECT_EQ(o.unroll[0].text(), "3");
  EXPECT_EQ(o.time_limit, 1.5);
  EXPECT_TRUE(o.keep_going);
  EXPECT_EQ(o.max_executions, 9u);
  EXPECT_EQ(o.races, "ignore");
  EXPECT_EQ(o.format, "json");
  EXPECT_EQ(o.nondet, 4u);
}

TEST(Options, OfTest) {
  const Options o = parse_test({"a.cpp", "--filter", "A.*", "--list", "--junit=x.xml", "--model", "sc", "--", "-DN=3"});
  EXPECT_EQ(o.files, std::vector<std::string>{"a.cpp"});
  EXPECT_EQ(o.clang_args, std::vector<std::string>{"-DN=3"});
  EXPECT_EQ(o.filter, "A.*");
  EXPECT_EQ(o.junit, "x.xml");
  EXPECT_EQ(o.model, "sc");
  EXPECT_TRUE(o.list);
  EXPECT_EQ(refusal({"a.cpp", "--filter", "A.*"}),
            "--filter is not an option of check; `heddle check --help` lists the options");
  EXPECT_THROW(parse_test({"a.cpp", "--print-ir"}), UserError);
  EXPECT_THROW(parse_test({"a.cpp", "--filter", ""}), UserError);
  EXPECT_THROW(parse_test({}), UserError);
}

TEST(Options, BoundsOfLoopsAddUp) {
  const Options o = parse_check({"a.c", "--unroll", "ns::f:3", "--unroll", "dir/a.c:12:4", "--unroll", "7"});
  ASSERT_EQ(o.unroll.size(), 3u);
  EXPECT_EQ(o.unroll[0].function, "ns::f");
  EXPECT_EQ(o.unroll[1].file, "dir/a.c");
  EXPECT_EQ(o.unroll[1].line, 12u);
  EXPECT_TRUE(!o.unroll[2].is_named());
  const Site site{.file = "/src/dir/a.c", .line = 12, .function = "ns::f"};
  for (const Unroll& u : o.unroll) EXPECT_TRUE(u.matches(site)) << u.text();
  EXPECT_FALSE(o.unroll[0].matches({.file = "a.c", .line = 12, .function = "other_ns::ff"}));
  EXPECT_FALSE(o.unroll[1].matches({.file = "otherdir/a.c", .line = 12}));
}

TEST(Options, TheLastOfASwitchAndItsOppositeCounts) {
  EXPECT_EQ(parse_check({"a.c", "--purity", "--no-purity"}).purity, false);
  EXPECT_EQ(parse_check({"a.c", "--no-purity", "--purity"}).purity, true);
}

TEST(Options, WhatFollowsTheDashesIsForClang) {
  const Options o = parse_check({"a.c", "--", "-DN=3", "--sysroot", "--", "x.c"});
  EXPECT_EQ(o.files, std::vector<std::string>{"a.c"});
  EXPECT_EQ(o.clang_args, (std::vector<std::string>{"-DN=3", "--sysroot", "--", "x.c"}));
}

TEST(Options, TheLastValueCounts) { EXPECT_EQ(parse_check({"a.c", "--model", "sc", "--model", "rc11"}).model, "rc11"); }

TEST(Options, Sizes) {
  EXPECT_FALSE(parse_check({"a.c"}).memory_limit);
  EXPECT_EQ(parse_check({"a.c", "--memory-limit", "5000000"}).memory_limit, 5'000'000u);
  EXPECT_EQ(parse_check({"a.c", "--memory-limit", "3K"}).memory_limit, 3u << 10);
  EXPECT_EQ(parse_check({"a.c", "--memory-limit=800M"}).memory_limit, 800u << 20);
  EXPECT_EQ(parse_check({"a.c", "--memory-limit", "2g"}).memory_limit, 2ull << 30);
  for (const char* wrong : {"0", "G", "-1M", "1.5G", "3T", "M3", "99999999999G", ""}) {
    EXPECT_EQ(refusal({"a.c", "--memory-limit", wrong}),
              std::string("--memory-limit ") + wrong + ": expected a number of bytes such as 800M or 2G");
  }
}

TEST(Options, HelpNeedsNoFile) { EXPECT_TRUE(parse_check({"--help"}).help); }

TEST(Options, MistakesNameTheRemedy) {
  EXPECT_EQ(refusal({}), "no source file given; usage: heddle check [options] FILE... [-- CLANG ARGUMENTS]");
  EXPECT_EQ(refusal({"a.c", "--fast"}), "unknown option --fast; `heddle check --help-all` lists the options");
  EXPECT_EQ(refusal({"a.c", "--model", "power"}), "--model power: expected one of: sc, tso, pso, ra, rc11, wrc11");
  EXPECT_EQ(refusal({"a.c", "--unroll", "0"}),
            "--unroll 0: expected a whole number from 1 to 1000000000, or FUNCTION:N or FILE:LINE:N");
  EXPECT_EQ(refusal({"a.c", "--unroll", "3x"}),
            "--unroll 3x: expected a whole number from 1 to 1000000000, or FUNCTION:N or FILE:LINE:N");
  EXPECT_EQ(
      refusal({"a.c", "--unroll", "99999999999999999999"}),
      "--unroll 99999999999999999999: expected a whole number from 1 to 1000000000, or FUNCTION:N or FILE:LINE:N");
  EXPECT_EQ(refusal({"a.c", "--time-limit", "nan"}), "--time-limit nan: expected a number of seconds above 0");
  EXPECT_NE(refusal({"a.c", "--unroll", ":3"}).find("FUNCTION:N"), std::string::npos);
  EXPECT_NE(refusal({"a.c", "--unroll", "f:"}).find("FUNCTION:N"), std::string::npos);
  EXPECT_NE(refusal({"a.c", "--unroll"}).find("--unroll"), std::string::npos);
}

TEST(Options, WhatIsForClangGoesAfterTheDashes) {
  const std::string goes = ": what is for clang goes after --, as in: heddle check a.cpp -- ";
  for (const std::string word : {"-std=c++20", "--std=c++20", "-Iinclude", "-DN=3", "-O2", "-g", "-Wall", "-pthread",
                                 "-pedantic", "-march=native"}) {
    EXPECT_EQ(refusal({word, "a.cpp"}), word + goes + word);
    EXPECT_EQ(refusal({"a.cpp", word}), word + goes + word);
    EXPECT_EQ(parse_check({"a.cpp", "--", word}).clang_args, std::vector<std::string>{word});
  }
  EXPECT_EQ(refusal({"-I", "include", "a.cpp"}), "-I" + goes + "-I ...");
  EXPECT_EQ(refusal({"-O2"}), "-O2: what is for clang goes after --, as in: heddle check FILE -- -O2");
  EXPECT_EQ(parse_check({"a.cpp", "-p", "thread"}).build, "thread");
  EXPECT_EQ(refusal({"a.cpp", "--", "--model", "sc"}),
            "--model: an option of heddle goes before --; what follows is for clang");
  EXPECT_EQ(refusal({"a.cpp", "--", "--verbose"}), "accepted");  // clang has it, too
}

TEST(Options, MisspeltOnesGetASuggestion) {
  const std::string lists = "; `heddle check --help-all` lists the options";
  EXPECT_EQ(refusal({"a.c", "--unrol", "3"}), "unknown option --unrol (did you mean --unroll?)" + lists);
  EXPECT_EQ(refusal({"a.c", "--unrol=3"}), "unknown option --unrol=3 (did you mean --unroll?)" + lists);
  EXPECT_EQ(refusal({"a.c", "--modle", "sc"}), "unknown option --modle (did you mean --model?)" + lists);
  EXPECT_EQ(refusal({"a.c", "--max", "3"}), "unknown option --max (did you mean --max-executions?)" + lists);
  EXPECT_EQ(refusal({"a.c", "-model", "sc"}), "unknown option -model (did you mean --model?)" + lists);
  EXPECT_EQ(refusal({"a.c", "--model", "rc1"}),
            "--model rc1: expected one of: sc, tso, pso, ra, rc11, wrc11 (did you mean rc11?)");
  EXPECT_EQ(refusal({"a.c", "--algorithm", "sporre"}),
            "--algorithm sporre: expected one of: spore, rcmc, await, rvf (did you mean spore?)");
}

TEST(Options, PairsWithoutATheoryAreRefused) {
  const std::string no_co =
      "--model wrc11: it has no coherence order, which spore needs; it is explored by --algorithm rcmc only";
  EXPECT_EQ(refusal({"a.c", "--model", "wrc11"}), no_co);
  for (const std::string model : {"sc", "tso", "pso", "ra"}) {
    EXPECT_EQ(refusal({"a.c", "--algorithm", "rcmc", "--model", model}).find("--algorithm rcmc --model " + model), 0u);
  }
  for (const std::string option : {"--symmetry", "--helping"}) {
    EXPECT_EQ(refusal({"a.c", "--algorithm", "rcmc", option}),
              option + " --algorithm rcmc: only spore has it; use --algorithm spore");
  }
  EXPECT_EQ(refusal({"a.c", "--count-duplicates"}),
            "--count-duplicates: spore has no duplicates; it is for --algorithm rcmc");
  EXPECT_EQ(refusal({"a.c", "--model", "sc", "--algorithm", "rvf", "--no-commute"}),
            "--commute, --no-commute: rvf tells executions apart by the values that are read; it is for the others");
  EXPECT_EQ(refusal({"a.c", "--algorithm", "await"}),
            "--algorithm await --model rc11: await explores interleavings, which are the executions of sc; use --model "
            "sc, or --algorithm spore");
  EXPECT_EQ(refusal({"a.c", "--algorithm", "await", "--model", "sc", "--psc"}),
            "--psc, --no-psc: await never explores an execution that breaks the SC axiom; it is for --algorithm rcmc");
  EXPECT_EQ(parse_check({"a.c", "--algorithm", "await", "--model", "sc", "--no-commute"}).commute, false);
  for (const std::string model : {"rc11", "wrc11"}) {
    const Options o = parse_check({"a.c", "--model", model, "--algorithm", "rcmc", "--count-duplicates"});
    EXPECT_EQ(o.algorithm, "rcmc");
    EXPECT_TRUE(o.count_duplicates);
    EXPECT_NE(why_not_feature(o, Feature::helping), "");
  }
}

TEST(Options, FilesToWrite) {
  const Options o = parse_check({"a.c", "--report", "r.html", "--dot=g.dot", "--junit", "j.xml", "--format", "sarif"});
  EXPECT_EQ(o.report, "r.html");
  EXPECT_EQ(o.dot, "g.dot");
  EXPECT_EQ(o.junit, "j.xml");
  EXPECT_EQ(o.format, "sarif");
  EXPECT_EQ(refusal({"a.c", "--report", ""}), "--report : expected a text");
  EXPECT_EQ(refusal({"a.c", "--print-ir", "--report", "r.html"}),
            "--print-ir: nothing is explored, so that there is nothing for a report; leave it out");
  EXPECT_THROW(parse_test({"a.cpp", "--format", "sarif"}), UserError);
  EXPECT_THROW(parse_test({"a.cpp", "--report", "r.html"}), UserError);
}

TEST(Options, Jobs) { EXPECT_EQ(parse_check({"a.c", "--jobs", "4"}).jobs, 4u); }

TEST(Options, WaitingLoops) {
  EXPECT_EQ(parse_check({"a.c"}).purity, std::nullopt);
  EXPECT_EQ(parse_check({"a.c", "--no-purity"}).purity, false);
  EXPECT_EQ(parse_check({"a.c", "--no-await"}).await, false);
  EXPECT_EQ(parse_check({"a.c", "--await"}).await, true);
}

TEST(Options, Features) {
  EXPECT_EQ(parse_check({"a.c"}).symmetry, std::nullopt);
  EXPECT_EQ(parse_check({"a.c", "--symmetry"}).symmetry, true);
  EXPECT_EQ(parse_check({"a.c", "--no-symmetry"}).symmetry, false);
  EXPECT_EQ(parse_check({"a.c", "--no-helping"}).helping, false);
  EXPECT_EQ(why_not_feature(parse_check({"a.c", "--model", "ra"}), Feature::helping), "");
  EXPECT_NE(why_not_feature(parse_check({"a.c", "--model", "pso"}), Feature::helping), "");
  EXPECT_EQ(refusal({"a.c", "--helping", "--model", "tso"}),
            "--helping --model tso: leaving out helping operations is proved right for sc, ra and rc11 only; use "
            "--no-helping");
  EXPECT_EQ(refusal({"a.c", "--helping", "--spurious-cas"}),
            "--helping --spurious-cas: leaving out helping operations is proved right only for cas that do not fail "
            "spuriously; use --no-helping");
}

std::string litmus_refusal(const std::vector<std::string>& arguments) {
  try {
    parse_litmus(arguments);
  } catch (const UserError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Options, OfLitmusAreSomeOfThoseOfCheck) {
  const Options o = parse_litmus({"a.litmus", "--model", "tso", "--format=json", "--algorithm", "spore", "b.litmus"});
  EXPECT_EQ(o.files, (std::vector<std::string>{"a.litmus", "b.litmus"}));
  EXPECT_EQ(o.model, "tso");
  EXPECT_EQ(o.format, "json");
  EXPECT_EQ(parse_litmus({"a.litmus"}).model, "rc11");
  EXPECT_TRUE(parse_litmus({"--help"}).help);
  EXPECT_EQ(parse_litmus({"--", "--model"}).files, std::vector<std::string>{"--model"});
}

TEST(Options, LitmusRefusesTheOthers) {
  EXPECT_EQ(litmus_refusal({}), "no litmus test given; usage: heddle litmus [options] FILE.litmus...");
  EXPECT_EQ(litmus_refusal({"a", "--unroll", "3"}),
            "--unroll is not an option of litmus; `heddle litmus --help` lists the options");
  EXPECT_EQ(litmus_refusal({"a", "--verbose"}),
            "--verbose is not an option of litmus; `heddle litmus --help` lists the options");
  EXPECT_EQ(litmus_refusal({"a", "--dot", "x"}),
            "--dot is not an option of litmus; `heddle litmus --help` lists the options");
  EXPECT_EQ(litmus_refusal({"a", "--fast"}), "unknown option --fast; `heddle litmus --help` lists the options");
  EXPECT_EQ(litmus_refusal({"a", "--model", "power"}), "--model power: expected one of: sc, tso, pso, ra, rc11, wrc11");
  EXPECT_NE(litmus_refusal({"a", "--model", "wrc11"}).find("it has no coherence order"), std::string::npos);
  EXPECT_EQ(litmus_refusal({"a", "--format", "sarif"}),
            "--format sarif: only check has it; for litmus use --format json");
}

TEST(Options, ALitmusTestIsNotAProgram) {
  EXPECT_EQ(refusal({"a.litmus"}), "a.litmus: a litmus test is not a program; use `heddle litmus`");
}

TEST(Replay, HasTheOptionsOfTheCheckUnlessItSaysOthers) {
  const Options check =
      parse_check({"--model", "tso", "--width", "80", "--save", "s", "--report", "r", "a.c", "--", "-DN"});
  const Options options = parse_replay({"--width", "100", "--gdb", "s", "--", "-batch"}, check);
  EXPECT_EQ(options.model, "tso");
  EXPECT_EQ(options.files, std::vector<std::string>{"a.c"});
  EXPECT_EQ(options.clang_args, std::vector<std::string>{"-DN"});
  EXPECT_EQ(options.width, 100u);
  EXPECT_EQ(options.saved, "s");
  EXPECT_EQ(options.gdb_args, std::vector<std::string>{"-batch"});
  EXPECT_FALSE(options.save || options.report) << "a replay does not write what the check has written";
}

TEST(Replay, WantsOneFile) {
  EXPECT_THROW(parse_replay({}), UserError);
  EXPECT_THROW(parse_replay({"a", "b"}), UserError);
  EXPECT_THROW(parse_replay({"--model", "sc", "a"}), UserError);
  EXPECT_THROW(parse_replay({"a", "--", "-batch"}), UserError) << "only gdb has arguments";
}

void expect_fits(const std::string& text) {
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    EXPECT_LE(end - start, 115u) << text.substr(start, end - start);
    start = end + 1;
  }
}

TEST(Help, TextFitsATerminal) {
  expect_fits(help_text());
  for (const std::string_view command : names_of_commands()) {
    expect_fits(help_text(std::string(command), false));
    expect_fits(help_text(std::string(command), true));
  }
}

TEST(Help, ShowsWhatIsNeededMostFirst) {
  const auto shows = [](const std::string& text, const std::string& option) {
    return text.find("\n  " + option) != std::string::npos;
  };
  const std::string few = help_text("check", false);
  const std::string all = help_text("check", true);
  for (const std::string option : {"--model MODEL", "--unroll [WHERE:]N", "-h, --help", "--help-all"}) {
    EXPECT_TRUE(shows(few, option)) << option;
    EXPECT_TRUE(shows(all, option)) << option;
  }
  EXPECT_FALSE(shows(few, "--no-closure"));
  EXPECT_TRUE(shows(all, "--no-closure"));
  EXPECT_FALSE(shows(all, "--filter"));  // of test
  EXPECT_TRUE(shows(help_text("test", false), "--filter PATTERN"));
  EXPECT_FALSE(shows(help_text("litmus", true), "--unroll"));
  EXPECT_TRUE(parse_check({"--help-all"}).help_all);
}

}  // namespace
}  // namespace heddle::cli
