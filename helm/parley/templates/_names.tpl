{{/* Short enough for the longest suffix, "-messaging-ingest", within 63 characters. */}}
{{- define "parley.fullname" -}}
{{- $name := .Release.Name -}}
{{- if not (contains .Chart.Name .Release.Name) }}{{ $name = printf "%s-%s" .Release.Name .Chart.Name }}{{ end -}}
{{- .Values.fullnameOverride | default $name | trunc 44 | trimSuffix "-" -}}
{{- end }}

{{/* Every process as packages/processes describes it; `npm run docs` writes the file. */}}
{{- define "parley.processes" -}}
{{- (.Files.Get "files/processes.json" | fromJson).processes | toJson }}
{{- end }}
{{- define "parley.stopLimitSeconds" -}}
{{- (.Files.Get "files/processes.json" | fromJson).stopLimitSeconds }}
{{- end }}
{{/* One of them. Call with root and name. */}}
{{- define "parley.process" -}}
{{- range include "parley.processes" .root | fromJsonArray }}
{{- if eq .name $.name }}{{ toJson . }}{{ end }}
{{- end }}
{{- end }}

{{/* Labels that selectors use. Call with (dict "root" $ "component" "bff"). */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: parley
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "parley.image" -}}
{{- $image := (index .root.Values (.values | default .component)).image -}}
{{- $name := $image.repository -}}
{{- with .root.Values.image.registry }}{{ $name = printf "%s/%s" . $name }}{{ end -}}
{{- if $image.digest -}}
{{ $name }}@{{ $image.digest }}
{{- else -}}
{{ $name }}:{{ $image.tag | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* Ports and addresses inside the cluster, in one place. */}}
{{- define "parley.port" -}}3000{{- end }}
{{- define "parley.managementPort" -}}3001{{- end }}
{{- define "parley.serviceUrl" -}}
http://{{ include "parley.fullname" .root }}-{{ .component }}:{{ include "parley.port" . }}
{{- end }}
{{/* Where a process publishes its keys. Call with root and process. */}}
{{- define "parley.jwksUrl" -}}
{{- if has "management" .process.ports -}}
http://{{ include "parley.fullname" .root }}-{{ .process.name }}-management:{{ include "parley.managementPort" .root }}/internal/jwks.json
{{- else -}}
{{ include "parley.serviceUrl" (dict "root" .root "component" .process.name) }}/internal/jwks.json
{{- end }}
{{- end }}
{{- define "parley.publicHost" -}}
{{ (urlParse .Values.publicOrigin).hostname }}
{{- end }}
