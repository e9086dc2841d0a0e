# A service: docker build -f deploy/docker/service.Dockerfile --build-arg SERVICE=profile -t parley/profile .
# A deployment pins the digest as well: --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS context
WORKDIR /context
COPY . .
RUN node deploy/docker/image/manifests.mts /manifests

# Copied by content: only a change of the lock or of a manifest installs anew. Native parts (sharp's, say) are optional packages.
FROM ${NODE_IMAGE} AS dependencies
ARG SERVICE
WORKDIR /app
COPY --from=context /manifests/ ./
COPY deploy/docker/image/prune.mts /prune.mts
RUN npm ci --omit=dev --workspace services/${SERVICE} --no-audit && node /prune.mts services/${SERVICE}

FROM context AS sources
ARG SERVICE
RUN node deploy/docker/image/sources.mts services/${SERVICE} /sources

FROM ${NODE_IMAGE}
ARG SERVICE
ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="parley/${SERVICE}" \
      org.opencontainers.image.description="Parley, the ${SERVICE} service" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
WORKDIR /app
COPY --from=dependencies /app/ ./
COPY --from=sources /sources/ ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
# As packages/processes/src/memory.ts has it.
ENV NODE_OPTIONS=--max-semi-space-size=16 MALLOC_ARENA_MAX=2
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "health.mts"]
CMD ["node", "server.ts"]
