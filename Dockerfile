# One image for all services: `docker run mainspring serve gateway`. Runs as 10001:10001.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages ./packages
COPY services ./services
# The image has its own Node; no install script of any dependency runs.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap util-linux \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 mainspring \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/mainspring mainspring \
  && install --directory --owner=10001 --group=10001 /var/lib/mainspring/data /var/lib/mainspring/workspaces
WORKDIR /app
COPY --from=dependencies /app ./
COPY protos ./protos
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  MAINSPRING_DATA_DIR=/var/lib/mainspring/data \
  MAINSPRING_WORKSPACES=/var/lib/mainspring/workspaces
USER 10001:10001
EXPOSE 8080
# SIGTERM drains: give it longer than MAINSPRING_DRAIN_MS.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "packages/cli/bin/mainspring.js"]
CMD ["up"]
