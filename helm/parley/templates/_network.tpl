{{/* One egress or ingress rule. Call with (dict "direction" "to" "peers" list "ports" list); no peers: any address. */}}
{{- define "parley.networkRule" -}}
- ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with .peers }}
  {{ $.direction }}: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* Pods of this release: call with root and components. */}}
{{- define "parley.ownPeers" -}}
{{- $root := .root -}}
{{- range .components }}
- podSelector:
    matchLabels: {{- include "parley.selector" (dict "root" $root "component" .) | nindent 6 }}
{{- end }}
{{- end }}

{{/* Rule for pods of this release. Call with root, direction, components, ports. */}}
{{- define "parley.ownRule" -}}
{{- $peers := include "parley.ownPeers" . | fromYamlArray -}}
{{- include "parley.networkRule" (dict "direction" .direction "peers" $peers "ports" .ports) }}
{{- end }}

{{- define "parley.outsideRule" -}}
{{- include "parley.networkRule" (dict "direction" "to" "peers" .peers "ports" .ports) }}
{{- end }}

{{/* Who may call a component. */}}
{{- define "parley.ingress.bff" -}}
{{- $policy := .Values.networkPolicy -}}
{{- with $policy.ingressController }}
{{ include "parley.networkRule" (dict "direction" "from" "peers" . "ports" (list (include "parley.port" $))) }}
{{- end }}
{{- with $policy.backchannel }}
{{ include "parley.networkRule" (dict "direction" "from" "peers" . "ports" (list (include "parley.port" $))) }}
{{- end }}
{{ include "parley.ownRule" (dict "root" . "direction" "from" "components" (list "test") "ports" (list (include "parley.port" .))) }}
{{ include "parley.ownRule" (dict "root" . "direction" "from" "components" (list "profile" "identity") "ports" (list (include "parley.managementPort" .))) }}
{{- with $policy.prometheus }}
{{ include "parley.networkRule" (dict "direction" "from" "peers" . "ports" (list (include "parley.managementPort" $))) }}
{{- end }}
{{- end }}

{{/* A service has one port; its metrics are on it, everything else there needs an internal token. */}}
{{- define "parley.ingress.service" -}}
{{ include "parley.ownRule" (dict "root" . "direction" "from" "components" (list "bff") "ports" (list (include "parley.port" .))) }}
{{- with .Values.networkPolicy.prometheus }}
{{ include "parley.networkRule" (dict "direction" "from" "peers" . "ports" (list (include "parley.port" $))) }}
{{- end }}
{{- end }}

{{- define "parley.ingress.profile" -}}{{ include "parley.ingress.service" . }}{{- end }}
{{- define "parley.ingress.identity" -}}{{ include "parley.ingress.service" . }}{{- end }}
{{- define "parley.ingress.migrations" -}}{{- end }}
{{- define "parley.ingress.test" -}}{{- end }}

{{/* Whom a component may call, beside the name server. */}}
{{- define "parley.egress.bff" -}}
{{ include "parley.egress.collector" . }}
{{ include "parley.outsideRule" .Values.networkPolicy.redis }}
{{ include "parley.outsideRule" .Values.networkPolicy.keycloak }}
{{ include "parley.ownRule" (dict "root" . "direction" "to" "components" (list "profile" "identity") "ports" (list (include "parley.port" .))) }}
{{- end }}
{{- define "parley.egress.profile" -}}
{{ include "parley.egress.collector" . }}
{{ include "parley.outsideRule" .Values.networkPolicy.mongodb }}
{{ include "parley.outsideRule" .Values.networkPolicy.redis }}
{{ include "parley.egress.keys" . }}
{{- end }}
{{- define "parley.egress.identity" -}}
{{ include "parley.egress.collector" . }}
{{ include "parley.outsideRule" .Values.networkPolicy.keycloak }}
{{ include "parley.egress.keys" . }}
{{- end }}
{{- define "parley.egress.migrations" -}}
{{ include "parley.outsideRule" .Values.networkPolicy.mongodb }}
{{- end }}
{{- define "parley.egress.test" -}}
{{ include "parley.ownRule" (dict "root" . "direction" "to" "components" (list "bff") "ports" (list (include "parley.port" .))) }}
{{- end }}
{{- define "parley.egress.keys" -}}
{{ include "parley.ownRule" (dict "root" . "direction" "to" "components" (list "bff") "ports" (list (include "parley.managementPort" .))) }}
{{- end }}
{{- define "parley.egress.collector" -}}
{{- if .Values.tracing.endpoint }}
{{ include "parley.outsideRule" .Values.networkPolicy.collector }}
{{- end }}
{{- end }}

{{/* What a policy says of one component. Call with root and component. */}}
{{- define "parley.networkPolicy" -}}
podSelector:
  matchLabels: {{- include "parley.selector" . | nindent 4 }}
policyTypes: [Ingress, Egress]
{{- with include (printf "parley.ingress.%s" .component) .root | trim }}
ingress: {{- . | nindent 2 }}
{{- end }}
egress:
  {{- include (printf "parley.egress.%s" .component) .root | trim | nindent 2 }}
  - ports:
      {{- range .root.Values.networkPolicy.dns.ports }}
      - { protocol: UDP, port: {{ . }} }
      - { protocol: TCP, port: {{ . }} }
      {{- end }}
    {{- with .root.Values.networkPolicy.dns.peers }}
    to: {{- toYaml . | nindent 6 }}
    {{- end }}
{{- end }}
