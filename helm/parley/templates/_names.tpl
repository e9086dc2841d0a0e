{{/* Short enough for the longest suffix, "-bff-management", within 63 characters. */}}
{{- define "parley.fullname" -}}
{{- $name := .Release.Name -}}
{{- if not (contains .Chart.Name .Release.Name) }}{{ $name = printf "%s-%s" .Release.Name .Chart.Name }}{{ end -}}
{{- .Values.fullnameOverride | default $name | trunc 44 | trimSuffix "-" -}}
{{- end }}

{{/* Labels that selectors use. Call with (dict "root" $ "component" "bff"). */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
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
{{- $image := (index .root.Values .component).image -}}
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
{{- define "parley.jwksUrl" -}}
http://{{ include "parley.fullname" . }}-bff-management:{{ include "parley.managementPort" . }}/internal/jwks.json
{{- end }}
{{- define "parley.publicHost" -}}
{{ (urlParse .Values.publicOrigin).hostname }}
{{- end }}
