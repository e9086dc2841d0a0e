{{/* What every server process gets; the caller adds its own. */}}
{{- define "parley.config.common" -}}
NODE_ENV: production
LOG_LEVEL: {{ .Values.logLevel | quote }}
HOST: {{ .Values.pods.host | quote }}
PORT: {{ include "parley.port" . | quote }}
{{- if .Values.tracing.endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ .Values.tracing.endpoint | quote }}
OTEL_TRACES_SAMPLER: parentbased_traceidratio
OTEL_TRACES_SAMPLER_ARG: {{ .Values.tracing.share | quote }}
{{- end }}
{{- end }}

{{/* What follows from whom a process calls, and who calls it. */}}
{{- define "parley.config.calls" -}}
{{- $root := .root -}}
{{- range .process.calls }}
{{ . | upper | replace "-" "_" }}_URL: {{ include "parley.serviceUrl" (dict "root" $root "component" .) | quote }}
{{- end }}
{{- with .process.callers }}
{{- $issuers := list }}
{{- range . }}
{{- $caller := include "parley.process" (dict "root" $root "name" .) | fromJson }}
{{- $issuers = append $issuers (printf "%s=%s" . (include "parley.jwksUrl" (dict "root" $root "process" $caller))) }}
{{- end }}
INTERNAL_ISSUERS: {{ join "," $issuers | quote }}
{{- end }}
{{- end }}

{{/* The environment of a process without its secrets. Call with root and process. */}}
{{- define "parley.config" -}}
{{ include "parley.config.common" .root }}
{{- if has "management" .process.ports }}
MANAGEMENT_PORT: {{ include "parley.managementPort" .root | quote }}
{{- end }}
{{- if has "mongodb" .process.needs }}
MONGODB_POOL_SIZE: {{ .root.Values.mongodb.poolSize | quote }}
{{- end }}
{{- if and .root.Values.cells (has .process.name (list "bff" "profile" "profile-worker")) }}
CELLS: {{ .root.Values.cells | toJson | quote }}
{{- end }}
{{- if and .root.Values.cell (has .process.name (list "automation" "automation-worker" "messaging-worker")) }}
CELL: {{ .root.Values.cell | quote }}
{{- end }}
{{- include "parley.config.calls" . }}
{{- if eq .process.name "bff" }}
{{- include "parley.config.bff" .root }}
{{- else if eq .process.name "identity" }}
{{- include "parley.config.identity" .root }}
{{- else if eq .process.name "profile-worker" }}
{{- include "parley.config.mail" .root }}
{{- else if has .process.name (list "messaging" "messaging-ingest" "messaging-worker" "messaging-webhooks") }}
{{- include "parley.config.messaging" .root }}
{{- if eq .process.name "messaging-ingest" }}
TRUST_PROXY_HOPS: {{ .root.Values.bff.trustProxyHops | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* Settings by their variable. YAML reads on and off as true and false. */}}
{{- define "parley.config.env" }}
{{- range $name, $value := . }}
{{- if kindIs "bool" $value }}
{{ $name }}: {{ ternary "on" "off" $value | quote }}
{{- else }}
{{ $name }}: {{ ternary ($value | int64) $value (kindIs "float64" $value) | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- define "parley.config.bff" }}
PUBLIC_ORIGIN: {{ .Values.publicOrigin | quote }}
TRUST_PROXY_HOPS: {{ .Values.bff.trustProxyHops | quote }}
OIDC_ISSUER: {{ .Values.keycloak.issuer | quote }}
{{- with .Values.keycloak.internalIssuer }}
OIDC_INTERNAL_ISSUER: {{ . | quote }}
{{- end }}
OIDC_WEB_CLIENT_ID: {{ .Values.keycloak.clients.web | quote }}
OIDC_PASSWORD_CLIENT_ID: {{ .Values.keycloak.clients.password | quote }}
PASSWORD_SIGN_IN: {{ .Values.bff.passwordSignIn | quote }}
STATIC_DIR: /app/frontend/dist
{{- include "parley.config.env" .Values.bff.env }}
{{- end }}

{{/* The admin interface lies beside the realm and is not routed from outside: the address inside comes first. */}}
{{- define "parley.config.identity" }}
OIDC_ISSUER: {{ .Values.keycloak.internalIssuer | default .Values.keycloak.issuer | quote }}
IDENTITY_CLIENT_ID: {{ .Values.keycloak.clients.identity | quote }}
MAIL_LINK_CLIENT_ID: {{ .Values.keycloak.clients.mailLinks | quote }}
PUBLIC_ORIGIN: {{ .Values.publicOrigin | quote }}
{{- end }}

{{- define "parley.config.mail" }}
PUBLIC_ORIGIN: {{ .Values.publicOrigin | quote }}
MAIL_FROM: {{ .Values.mail.from | default (printf "no-reply@%s" (get (urlParse .Values.publicOrigin) "hostname")) | quote }}
{{- end }}

{{- define "parley.config.messaging" }}
HOOKS_PUBLIC_URL: {{ .Values.hooks.publicOrigin | default .Values.publicOrigin | quote }}
LINKS_PUBLIC_URL: {{ .Values.links.publicOrigin | default .Values.hooks.publicOrigin | default .Values.publicOrigin | quote }}
{{- include "parley.config.env" .Values.messaging.env }}
{{- end }}

{{/* The secrets of a process, variable to entry of .Values.secrets, as JSON. Call with root and process. */}}
{{- define "parley.secretsOf" -}}
{{- $secrets := deepCopy .process.secrets -}}
{{- if and .root.Values.media.bucket (has "whatsapp" .process.needs) }}
{{- $_ := set $secrets "MEDIA_S3_URL" "mediaS3Url" -}}
{{- end }}
{{- with .root.Values.secrets.workRedisUrl }}
{{- /* A key of its own is a source too: that key of the common Secret. */}}
{{- if and (or .existingSecret .value (ne .key "REDIS_URL")) (regexMatch "^(messaging|automation)" $.process.name) }}
{{- $_ := set $secrets "REDIS_URL" "workRedisUrl" -}}
{{- end }}
{{- end }}
{{- $secrets | toJson }}
{{- end }}

{{/* A process gets its own secrets and nobody else's. Call with root, secrets (variable to entry of .Values.secrets), and ownSecret: the
     Secret that holds values given in plain. */}}
{{- define "parley.secretEnv" -}}
{{- $root := .root -}}
{{- $own := .ownSecret -}}
{{- range $variable, $entry := .secrets }}
{{- $secret := index $root.Values.secrets $entry }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ ternary $own ($secret.existingSecret | default $root.Values.existingSecret) (ne $secret.value "") | quote }}
      key: {{ $secret.key | quote }}
{{- end }}
{{- end }}

{{/* Secrets of a process that were given in plain, by their key. */}}
{{- define "parley.plainSecrets" -}}
{{- $root := .root -}}
{{- range $entry := .secrets | values | sortAlpha }}
{{- with index $root.Values.secrets $entry }}
{{- if .value }}
{{ .key | quote }}: {{ .value | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
