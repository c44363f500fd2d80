{{- define "signpost.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that choose the pods of a role; they never change. Takes root and role. */}}
{{- define "signpost.selector" -}}
app.kubernetes.io/name: signpost
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "signpost.labels" -}}
{{ include "signpost.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* The secrets that a role reads, and no others: the setting of each, and its key in the Secret. Takes root and role. */}}
{{- define "signpost.secrets" -}}
{{- if eq .role "redirect" }}
DATABASE_URL: redirect-database-url
{{- else }}
DATABASE_URL: database-url
{{- if eq (default "none" .root.Values.settings.DATABASE_POOLER) "transaction" }}
DATABASE_DIRECT_URL: database-direct-url
{{- end }}
{{- end }}
{{- if eq .role "migrate" }}
REDIRECT_DATABASE_URL: redirect-database-url
{{- end }}
REDIS_URL: redis-url
NATS_URL: nats-url
{{- if and .root.Values.clickhouse.enabled (not (has .role (list "redirect" "deliver"))) }}
CLICKHOUSE_URL: clickhouse-url
{{- end }}
{{- if has .role (list "api" "deliver") }}
WEBHOOK_SECRET_KEYS: webhook-secret-keys
{{- end }}
{{- if eq .role "api" }}
AUTH_SECRET: auth-secret
{{- if .root.Values.smtp.enabled }}
SMTP_URL: smtp-url
{{- end }}
{{- end }}
{{- end -}}

{{/* What every container of ours has. Takes root and role; of an image beside the main one its suffix, and other arguments. */}}
{{- define "signpost.container" -}}
name: {{ .role }}
image: {{ printf "%s:%s%s" .root.Values.image.repository (default .root.Chart.AppVersion .root.Values.image.tag) (default "" .suffix) | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: {{ default (list .role) .args | toJson }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  {{- range $name, $key := include "signpost.secrets" . | fromYaml }}
  - name: {{ $name }}_FILE
    value: /run/secrets/signpost/{{ $key }}
  {{- end }}
  {{- range $name, $value := .root.Values.settings }}
  {{- /* It needs SMTP_URL, and only the API asks for it. */ -}}
  {{- if and $value (or (eq $.role "api") (ne $name "REQUIRE_VERIFIED_EMAIL")) }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- end }}
{{- end -}}

{{/* What every pod of ours has. Takes root. */}}
{{- define "signpost.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "signpost.volumes" -}}
- name: engines
  secret:
    secretName: {{ required "existingSecret must name a Secret with the addresses of the engines" .root.Values.existingSecret }}
    defaultMode: 288
    items:
      {{- range $key := include "signpost.secrets" . | fromYaml | values | sortAlpha }}
      - { key: {{ $key }}, path: {{ $key }} }
      {{- end }}
- name: tmp
  emptyDir: {}
{{- end -}}

{{- define "signpost.mounts" -}}
- name: engines
  mountPath: /run/secrets/signpost
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- end -}}
