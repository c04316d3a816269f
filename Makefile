# heddle's short commands. The build itself is CMake's: CMakeLists.txt.
BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
SOURCES = $(shell git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.c' '*.h' ':!tests/programs')

.PHONY: all deps configure tool build demo test test-all bench fuzz format format-check tidy install clean

all: build

deps:
	@scripts/install-deps

configure: deps
	@mkdir -p $(BUILD)
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) > $(BUILD)/configure.log 2>&1 || \
	  { cat $(BUILD)/configure.log; exit 1; }

# heddle alone, without the tests.
tool: configure
	@cmake --build $(BUILD) -j $(JOBS) --target heddle

build: configure
	@cmake --build $(BUILD) -j $(JOBS)

demo: tool
	@scripts/demo $(BUILD)/bin/heddle

# The quick tier of the tests, which everybody runs: a few minutes. test-all has the others, which are labelled long.
CTEST = ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure --no-tests=error --timeout 1800

test: build
	@$(CTEST) --label-exclude '^long$$'

test-all: build
	@$(CTEST) --label-regex '^long$$'

bench: tool
	@bench/run --heddle $(BUILD)/bin/heddle
	@bench/spore-table --speed --heddle $(BUILD)/bin/heddle
	@bench/await-table --quick --heddle $(BUILD)/bin/heddle
	@bench/rvf-table --limit 3 --heddle $(BUILD)/bin/heddle

# Random programs against brute force, until stopped or until a difference is found.
fuzz: build
	@$(BUILD)/bin/heddle_fuzz

format: deps
	@clang-format-19 -i $(SOURCES)

format-check: deps
	@test -n "$(SOURCES)" || { echo "No sources to check: not a git working tree?"; exit 1; }
	@clang-format-19 --dry-run --Werror $(SOURCES)

tidy: configure
	@cmake -S . -B $(BUILD)/files -G Ninja -DCMAKE_UNITY_BUILD=OFF > $(BUILD)/configure.log
	@scripts/tidy --build $(BUILD)/files --jobs $(JOBS)

install: tool
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD) $(BUILD)-sanitize
