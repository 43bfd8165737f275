# Parakh with the embedded cascade and the leaderboard, on the processor:  docker build -t parakh .
#   docker run --rm -v "$PWD:/data" -v parakh-models:/models parakh run recordings --out answers
# MODELS="whisper-base ..." bakes weights in; without it they are fetched into /models when they are first wanted.
ARG BASE=python:3.12-slim

FROM ${BASE} AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ python3-dev \
    && rm -rf /var/lib/apt/lists/*
RUN python3 -m venv /opt/parakh
WORKDIR /source
COPY pyproject.toml CMakeLists.txt README.md LICENSE ./
COPY native native
COPY examples examples
COPY src src
RUN /opt/parakh/bin/pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .
RUN wheel="$(ls /wheels/*.whl)" \
    && /opt/parakh/bin/pip install --no-cache-dir "$wheel[cascade,data,llm,oidc,report,server]"

FROM ${BASE}
ARG MODELS=""
LABEL org.opencontainers.image.title="Parakh" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/parakh /opt/parakh
# Who calls the container may be any user (--user), so that answers belong to them.
ENV PATH=/opt/parakh/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp \
    PARAKH_MODELS=/models
RUN useradd --uid 1000 --no-create-home --home-dir /tmp parakh \
    && mkdir --mode 1777 /models \
    && install --directory --owner parakh --group parakh /data
USER parakh
RUN test -z "$MODELS" || parakh models get $MODELS
WORKDIR /data
EXPOSE 8000
# Only `parakh serve` has a health to ask for; every other verb ends by itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD grep -q serve /proc/1/cmdline || exit 0; \
        python3 -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"
ENTRYPOINT ["parakh"]
CMD ["--help"]
