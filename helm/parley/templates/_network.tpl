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

{{/* Rule for the receivers of webhooks: the ports that Parley calls, outside the cluster. */}}
{{- define "parley.receiversRule" -}}
- ports:
    - { protocol: TCP, port: 443 }
    - { protocol: TCP, port: 1024, endPort: 65535 }
  to: {{- toYaml .peers | nindent 4 }}
{{- end }}

{{/* The port that has a process's metrics and public keys. Call with root and process. */}}
{{- define "parley.operationsPort" -}}
{{- include (ternary "parley.managementPort" "parley.port" (has "management" .process.ports)) .root }}
{{- end }}

{{/* Who may call a process: those that call its endpoints, those that read its keys, and Prometheus. */}}
{{- define "parley.ingress.process" -}}
{{- $root := .root -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- $operations := list (include "parley.operationsPort" .) -}}
{{- if or (eq .process.name "bff") (eq .process.kind "ingest") }}
{{- range list $policy.ingressController (ternary $policy.backchannel list (eq .process.name "bff")) }}
{{- with . }}
{{ include "parley.networkRule" (dict "direction" "from" "peers" . "ports" (list (include "parley.port" $root))) }}
{{- end }}
{{- end }}
{{- end }}
{{- with concat .process.callers (ternary (list "test") list (eq .process.name "bff")) }}
{{ include "parley.ownRule" (dict "root" $root "direction" "from" "components" . "ports" (list (include "parley.port" $root))) }}
{{- end }}
{{- with .process.calls }}
{{ include "parley.ownRule" (dict "root" $root "direction" "from" "components" . "ports" $operations) }}
{{- end }}
{{- with $policy.prometheus }}
{{ include "parley.networkRule" (dict "direction" "from" "peers" . "ports" $operations) }}
{{- end }}
{{- end }}

{{/* Whom a process may call, beside the name server: what it needs, whom it calls, and the keys of its callers. */}}
{{- define "parley.egress.process" -}}
{{- $root := .root -}}
{{- $targets := dict "mongodb" .root.Values.networkPolicy.mongodb "redis" .root.Values.networkPolicy.redis "identity-provider" .root.Values.networkPolicy.keycloak "whatsapp" .root.Values.networkPolicy.whatsapp "mail" .root.Values.networkPolicy.mail -}}
{{- if .root.Values.tracing.endpoint }}
{{ include "parley.outsideRule" .root.Values.networkPolicy.collector }}
{{- end }}
{{- range without .process.needs "receivers" }}
{{ include "parley.outsideRule" (get $targets .) }}
{{- end }}
{{- /* Ingest hands webhooks of workspaces that have moved on to the hooks of other cells. */}}
{{- if or (has "receivers" .process.needs) (and (eq .process.kind "ingest") (or .root.Values.cell .root.Values.cells)) }}
{{ include "parley.receiversRule" .root.Values.networkPolicy.receivers }}
{{- end }}
{{- if and .root.Values.media.bucket (has "whatsapp" .process.needs) }}
{{ include "parley.outsideRule" .root.Values.networkPolicy.bucket }}
{{- end }}
{{- with .process.calls }}
{{ include "parley.ownRule" (dict "root" $root "direction" "to" "components" . "ports" (list (include "parley.port" $root))) }}
{{- end }}
{{- range .process.callers }}
{{- $caller := include "parley.process" (dict "root" $root "name" .) | fromJson }}
{{ include "parley.ownRule" (dict "root" $root "direction" "to" "components" (list .) "ports" (list (include "parley.operationsPort" (dict "root" $root "process" $caller)))) }}
{{- end }}
{{- end }}
{{- define "parley.egress.migrations" -}}
{{ include "parley.outsideRule" .root.Values.networkPolicy.mongodb }}
{{- end }}
{{- define "parley.egress.test" -}}
{{ include "parley.ownRule" (dict "root" .root "direction" "to" "components" (list "bff") "ports" (list (include "parley.port" .root))) }}
{{- end }}

{{/* What a policy says of one component. Call with root, component and process. */}}
{{- define "parley.networkPolicy" -}}
podSelector:
  matchLabels: {{- include "parley.selector" . | nindent 4 }}
policyTypes: [Ingress, Egress]
{{- if .process.ports }}
{{- with include "parley.ingress.process" . | trim }}
ingress: {{- . | nindent 2 }}
{{- end }}
{{- end }}
egress:
  {{- include (printf "parley.egress.%s" (ternary "process" .component (hasKey .process "ports"))) . | trim | nindent 2 }}
  - ports:
      {{- range .root.Values.networkPolicy.dns.ports }}
      - { protocol: UDP, port: {{ . }} }
      - { protocol: TCP, port: {{ . }} }
      {{- end }}
    {{- with .root.Values.networkPolicy.dns.peers }}
    to: {{- toYaml . | nindent 6 }}
    {{- end }}
{{- end }}
