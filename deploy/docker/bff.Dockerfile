# The BFF with the page: docker build -f deploy/docker/bff.Dockerfile -t parley/bff .
# A deployment pins the digest as well: --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS context
WORKDIR /context
COPY . .
RUN node deploy/docker/image/manifests.mts /manifests

# Copied by content: only a change of the lock or of a manifest installs anew.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY --from=context /manifests/ ./
COPY deploy/docker/image/prune.mts /prune.mts
RUN npm ci --omit=dev --omit=optional --workspace bff --no-audit && node /prune.mts bff

FROM ${NODE_IMAGE} AS page-tools
WORKDIR /page
COPY --from=context /manifests/ ./
RUN npm ci --workspace frontend --no-audit

FROM page-tools AS page
ARG VITE_CONTACT_DOMAIN
ARG VITE_API_KEY
ARG VITE_TOKEN_SYNC_URL
COPY tsconfig.base.json ./
COPY packages packages
COPY frontend frontend
RUN npm run build --workspace frontend

FROM context AS sources
RUN node deploy/docker/image/sources.mts bff /sources

FROM ${NODE_IMAGE}
ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="parley/bff" \
      org.opencontainers.image.description="Parley, what browsers talk to" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
WORKDIR /app
COPY --from=dependencies /app/ ./
COPY --from=page /page/frontend/dist frontend/dist
COPY --from=sources /sources/ ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 MANAGEMENT_PORT=3001 STATIC_DIR=/app/frontend/dist
# As packages/processes/src/memory.ts has it.
ENV NODE_OPTIONS=--max-semi-space-size=16 MALLOC_ARENA_MAX=2
USER 1000:1000
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "health.mts"]
CMD ["node", "server.ts"]
