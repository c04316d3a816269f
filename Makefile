# heddle's short commands. The build itself is CMake's: CMakeLists.txt.
BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
SOURCES = $(shell git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.c' '*.h' ':!tests/programs')

.PHONY: all deps build demo test bench fuzz format format-check install clean

all: build

deps:
	@scripts/install-deps

build: deps
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@cmake --build $(BUILD) -j $(JOBS)

demo: build
	@scripts/demo $(BUILD)/bin/heddle

test: build
	@ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure

bench: build
	@bench/run --heddle $(BUILD)/bin/heddle

# Random programs against brute force, until stopped or until a difference is found.
fuzz: build
	@$(BUILD)/bin/heddle_fuzz

format: deps
	@clang-format-19 -i $(SOURCES)

format-check: deps
	@clang-format-19 --dry-run --Werror $(SOURCES)

install: build
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD) $(BUILD)-sanitize
