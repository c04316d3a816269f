# heddle in a container: docs/integration.md.
#
#   docker build -t heddle .
#   docker run --rm -v "$PWD:/work" heddle check test.c
FROM debian:12-slim AS build
COPY scripts/install-deps /heddle/scripts/install-deps
RUN /heddle/scripts/install-deps
COPY . /heddle
WORKDIR /heddle
RUN make tool BUILD=/build && cd /build && cpack -G DEB

FROM debian:12-slim
COPY --from=build /build/heddle_*.deb /tmp/
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends /tmp/heddle_*.deb \
 && rm -rf /tmp/heddle_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["heddle"]
