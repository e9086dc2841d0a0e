{{/* Parts that every pod of the chart shares. All of them pass Pod Security "restricted". */}}
{{- define "parley.pod.base" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .Values.pods.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.pods.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pods.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- with .Values.pods.runAsUser }}
  runAsUser: {{ . }}
  {{- end }}
  {{- with .Values.pods.runAsGroup }}
  runAsGroup: {{ . }}
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.pods.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Volumes of a pod. Call with root, and values where a process has more of its own. */}}
{{- define "parley.pod.volumes" -}}
{{- $extra := list }}
{{- with .values }}{{ $extra = (index $.root.Values .).extraVolumes }}{{ end }}
{{- if or $extra (include "parley.hasCa" .root) }}
volumes:
  {{- with $extra }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- if include "parley.hasCa" .root }}
  {{- with .root }}
  - name: ca
    {{- with .Values.caBundle.configMap }}
    configMap:
      name: {{ . | quote }}
      items: [{ key: {{ $.root.Values.caBundle.key | quote }}, path: ca.crt }]
    {{- end }}
    {{- with .Values.caBundle.secret }}
    secret:
      secretName: {{ . | quote }}
      items: [{ key: {{ $.root.Values.caBundle.key | quote }}, path: ca.crt }]
    {{- end }}
  {{- end }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "parley.hasCa" -}}
{{- if or .Values.caBundle.configMap .Values.caBundle.secret }}true{{ end -}}
{{- end }}

{{- define "parley.container.base" -}}
image: {{ include "parley.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- $extra := list }}
{{- if .process }}{{ $extra = (index .root.Values .values).extraVolumeMounts }}{{ end }}
{{- if or $extra (include "parley.hasCa" .root) }}
volumeMounts:
  {{- with $extra }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- if include "parley.hasCa" .root }}
  - name: ca
    mountPath: /etc/parley/ca
    readOnly: true
  {{- end }}
{{- end }}
{{- end }}

{{- define "parley.caEnv" -}}
{{- if include "parley.hasCa" . -}}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/parley/ca/ca.crt
{{- end }}
{{- end }}

{{/* The migration Job runs as a hook; what it needs is a hook too, and comes before it. */}}
{{- define "parley.hooks" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}
{{- define "parley.hooks.before" -}}
{{ include "parley.hooks" . }}
helm.sh/hook-weight: "-5"
{{- end }}
