{{/* Short enough for the longest suffix, "-messaging-ingest", within 63 characters. */}}
{{- define "parley.fullname" -}}
{{- $name := .Release.Name -}}
{{- if not (contains .Chart.Name .Release.Name) }}{{ $name = printf "%s-%s" .Release.Name .Chart.Name }}{{ end -}}
{{- .Values.fullnameOverride | default $name | trunc 44 | trimSuffix "-" -}}
{{- end }}

{{/* Every process of the release as packages/processes describes it; `npm run docs` writes the file. */}}
{{- define "parley.processes" -}}
{{- $own := list -}}
{{- range (.Files.Get "files/processes.json" | fromJson).processes -}}
{{- if or (not (include "parley.sharesHome" $)) (regexMatch "^(messaging|automation)" .name) }}{{ $own = append $own . }}{{ end -}}
{{- end -}}
{{- $own | toJson }}
{{- end }}
{{/* True of a cell that shares its users with the home cell. */}}
{{- define "parley.sharesHome" -}}
{{- with .Values.home }}{{ if or .bff .profile .profileWorker }}true{{ end }}{{ end -}}
{{- end }}
{{/* Base URL of a process that a cell shares; empty where the release has its own. Call with root and component. */}}
{{- define "parley.sharedUrl" -}}
{{- with .root.Values.home }}{{ get (dict "bff" .bff "profile" .profile "profile-worker" .profileWorker) $.component }}{{ end -}}
{{- end }}
{{- define "parley.stopLimitSeconds" -}}
{{- (.Files.Get "files/processes.json" | fromJson).stopLimitSeconds }}
{{- end }}
{{/* One of them, or of those that a cell shares. Call with root and name. */}}
{{- define "parley.process" -}}
{{- range (.root.Files.Get "files/processes.json" | fromJson).processes }}
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
{{- include "parley.sharedUrl" . | default (printf "http://%s-%s:%s" (include "parley.fullname" .root) .component (include "parley.port" .)) }}
{{- end }}
{{/* Where a process publishes its keys. Call with root and process. */}}
{{- define "parley.jwksUrl" -}}
{{- $shared := include "parley.sharedUrl" (dict "root" .root "component" .process.name) -}}
{{- if $shared -}}
{{ $shared }}/internal/jwks.json
{{- else if has "management" .process.ports -}}
http://{{ include "parley.fullname" .root }}-{{ .process.name }}-management:{{ include "parley.managementPort" .root }}/internal/jwks.json
{{- else -}}
{{ include "parley.serviceUrl" (dict "root" .root "component" .process.name) }}/internal/jwks.json
{{- end }}
{{- end }}
{{/* Each host of the release with its paths and the Service behind them, as a JSON list, the app's own first. */}}
{{- define "parley.hosts" -}}
{{- $name := include "parley.fullname" . -}}
{{- $app := (urlParse .Values.publicOrigin).hostname -}}
{{- $hooks := (urlParse (.Values.hooks.publicOrigin | default .Values.publicOrigin)).hostname -}}
{{- $links := (urlParse (.Values.links.publicOrigin | default .Values.hooks.publicOrigin | default .Values.publicOrigin)).hostname -}}
{{- /* Operators' own: no value routes them. */ -}}
{{- $unrouted := concat (list "/admin" "/internal" "/metrics" "/healthz" "/readyz") (.Values.ingress.unroutedPaths | default list) | uniq -}}
{{- $ingest := "" -}}
{{- range include "parley.processes" . | fromJsonArray }}{{ if eq .kind "ingest" }}{{ $ingest = .name }}{{ end }}{{ end -}}
{{- $hosts := list -}}
{{- range ternary (without (list $hooks $links) $app) (list $app $hooks $links) (eq (include "parley.sharesHome" .) "true") | uniq -}}
{{- $paths := list -}}
{{- if eq . $app -}}
{{- range $unrouted }}{{ $paths = append $paths (dict "path" . "service" (printf "%s-nowhere" $name)) }}{{ end -}}
{{- end -}}
{{- if or (eq . $app) (eq . $hooks) }}{{ $paths = append $paths (dict "path" "/hooks/whatsapp/" "service" (printf "%s-%s" $name $ingest)) }}{{ end -}}
{{- if or (eq . $app) (eq . $links) }}{{ $paths = append $paths (dict "path" "/l/" "service" (printf "%s-%s" $name $ingest)) }}{{ end -}}
{{- if eq . $app }}{{ $paths = append $paths (dict "path" "/" "service" (printf "%s-bff" $name)) }}{{ end -}}
{{- $hosts = append $hosts (dict "host" . "paths" $paths) -}}
{{- end -}}
{{- $hosts | toJson -}}
{{- end }}
