# Base images. Replace them to use a mirror: --build-arg DEBIAN_IMAGE=registry.example.com/debian:trixie-slim
ARG NODE_IMAGE=node:24-trixie-slim
ARG DEBIAN_IMAGE=debian:trixie-slim

# This stage needs npm and any Node.js from 20 on. The service runs on the Node.js that package-lock.json pins.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
# strip, which removes debug symbols.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends binutils \
  && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
COPY cli/package.json cli/
COPY console/package.json console/
COPY contract/package.json contract/
COPY e2e/package.json e2e/
COPY sandbox/package.json sandbox/
COPY sdk/package.json sdk/
COPY server/package.json server/
COPY starter-tools/package.json starter-tools/
COPY tool-schema/package.json tool-schema/
COPY ui/package.json ui/
COPY scripts/remove-unused-files.mjs scripts/
# A private registry needs credentials: --secret id=npmrc,src=$HOME/.npmrc
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci
COPY . .
RUN npm run package -- --unpacked /package

FROM ${DEBIAN_IMAGE}
# bubblewrap, prlimit and setpriv (util-linux) isolate tools, Node.js needs libatomic1, and tini reaps processes whose
# parent was killed.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates libatomic1 tini util-linux \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 1000 toolhost \
  && useradd --uid 1000 --gid 1000 --home-dir /data --no-create-home --shell /usr/sbin/nologin toolhost \
  && mkdir --mode 700 /data \
  && chown toolhost:toolhost /data
COPY --from=build /package /app
COPY deploy/healthcheck.mjs /app/deploy/
WORKDIR /app
ENV PATH=/app/node_modules/.bin:$PATH NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# The IDs are numbers so that Kubernetes can check that the user is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s --interval=10s --timeout=5s \
  CMD ["node", "deploy/healthcheck.mjs"]
ENTRYPOINT ["tini", "--"]
# A smaller young generation of the heap saves 25 MB, and a run of a tool needs no more CPU time.
CMD ["node", "--max-semi-space-size=8", "server/dist/main.js"]
