# Keycloak with Parley's theme, built once for its options: docker build -f deploy/docker/keycloak.Dockerfile -t parley/keycloak .
# KC_DB=postgres for a deployment; dev-file is for compose.
ARG KEYCLOAK_IMAGE=keycloak/keycloak:26.8.1
FROM ${KEYCLOAK_IMAGE}
ARG KC_DB=dev-file
ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="parley/keycloak" \
      org.opencontainers.image.description="Keycloak with the pages and mails of Parley" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --chown=1000:0 deploy/keycloak/themes/parley /opt/keycloak/themes/parley
COPY --chown=1000:0 deploy/keycloak/password-blacklists /opt/keycloak/data/password-blacklists
COPY --chmod=755 deploy/docker/keycloak/entrypoint.sh deploy/docker/keycloak/health.sh /opt/parley/
USER 1000:0
RUN JAVA_OPTS_APPEND=-XX:TieredStopAtLevel=1 /opt/keycloak/bin/kc.sh build --db=${KC_DB} --health-enabled=true --metrics-enabled=true \
 && mkdir -p /opt/keycloak/data/h2 /opt/keycloak/data/import
EXPOSE 8080 9000
HEALTHCHECK --interval=5s --timeout=4s --start-period=300s --retries=5 CMD ["/opt/parley/health.sh"]
ENTRYPOINT ["/opt/parley/entrypoint.sh"]
CMD ["start", "--optimized"]
