{{/* What every server process gets; the caller adds its own. */}}
{{- define "parley.config.common" -}}
NODE_ENV: production
LOG_LEVEL: {{ .Values.logLevel }}
HOST: 0.0.0.0
PORT: {{ include "parley.port" . | quote }}
{{- if .Values.tracing.endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ .Values.tracing.endpoint }}
OTEL_TRACES_SAMPLER: parentbased_traceidratio
OTEL_TRACES_SAMPLER_ARG: {{ .Values.tracing.share | quote }}
{{- end }}
{{- end }}

{{- define "parley.config.bff" -}}
{{ include "parley.config.common" . }}
MANAGEMENT_PORT: {{ include "parley.managementPort" . | quote }}
PUBLIC_ORIGIN: {{ .Values.publicOrigin }}
TRUST_PROXY_HOPS: {{ .Values.bff.trustProxyHops | quote }}
OIDC_ISSUER: {{ .Values.keycloak.issuer }}
{{- with .Values.keycloak.internalIssuer }}
OIDC_INTERNAL_ISSUER: {{ . }}
{{- end }}
OIDC_WEB_CLIENT_ID: {{ .Values.keycloak.clients.web }}
OIDC_PASSWORD_CLIENT_ID: {{ .Values.keycloak.clients.password }}
PASSWORD_SIGN_IN: {{ .Values.bff.passwordSignIn }}
PROFILE_URL: {{ include "parley.serviceUrl" (dict "root" . "component" "profile") }}
IDENTITY_URL: {{ include "parley.serviceUrl" (dict "root" . "component" "identity") }}
STATIC_DIR: /app/frontend/dist
{{- range $name, $value := .Values.bff.env }}
{{ $name }}: {{ ternary ($value | int64) $value (kindIs "float64" $value) | quote }}
{{- end }}
{{- end }}

{{- define "parley.config.profile" -}}
{{ include "parley.config.common" . }}
INTERNAL_ISSUERS: bff={{ include "parley.jwksUrl" . }}
{{- end }}

{{/* The admin interface lies beside the realm and is not routed from outside: the address inside comes first. */}}
{{- define "parley.config.identity" -}}
{{ include "parley.config.common" . }}
INTERNAL_ISSUERS: bff={{ include "parley.jwksUrl" . }}
OIDC_ISSUER: {{ .Values.keycloak.internalIssuer | default .Values.keycloak.issuer }}
IDENTITY_CLIENT_ID: {{ .Values.keycloak.clients.identity }}
MAIL_LINK_CLIENT_ID: {{ .Values.keycloak.clients.mailLinks }}
PUBLIC_ORIGIN: {{ .Values.publicOrigin }}
{{- end }}

{{/* Which secrets a process gets: variable → entry of .Values.secrets. Nobody gets another's. */}}
{{- define "parley.secrets.bff" -}}
REDIS_URL: redisUrl
SESSION_KEYS: sessionKeys
INTERNAL_TOKEN_KEYS: internalTokenKeys
OIDC_WEB_CLIENT_SECRET: webClientSecret
OIDC_PASSWORD_CLIENT_SECRET: passwordClientSecret
{{- end }}
{{- define "parley.secrets.profile" -}}
MONGODB_URL: mongodbUrl
REDIS_URL: redisUrl
{{- end }}
{{- define "parley.secrets.identity" -}}
IDENTITY_CLIENT_SECRET: identityClientSecret
{{- end }}
{{- define "parley.secrets.migrations" -}}
MONGODB_URL: mongodbUrl
{{- end }}

{{/* Call with root, component, and ownSecret: the Secret that holds values given in plain. */}}
{{- define "parley.secretEnv" -}}
{{- $root := .root -}}
{{- $own := .ownSecret -}}
{{- range $variable, $entry := include (printf "parley.secrets.%s" .component) $root | fromYaml }}
{{- $secret := index $root.Values.secrets $entry }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ if $secret.value }}{{ $own }}{{ else }}{{ $secret.existingSecret | default $root.Values.existingSecret }}{{ end }}
      key: {{ $secret.key }}
{{- end }}
{{- end }}

{{/* Secrets of a process that were given in plain, by their key. */}}
{{- define "parley.plainSecrets" -}}
{{- $root := .root -}}
{{- range $entry := include (printf "parley.secrets.%s" .component) $root | fromYaml | values | sortAlpha }}
{{- with index $root.Values.secrets $entry }}
{{- if .value }}
{{ .key }}: {{ .value | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
