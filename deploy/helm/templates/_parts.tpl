{{- define "endcap.labels" -}}
app.kubernetes.io/name: endcap
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "endcap.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "endcap.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . | quote }}
{{- end }}
{{- end }}
volumes:
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- end -}}

{{- define "endcap.container" -}}
image: {{ include "endcap.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef:
      name: {{ required "secret: the name of a Secret with the server's secrets" .Values.secret | quote }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{- define "endcap.settings" -}}
{{- $_ := required "settings.PUBLIC_URL is required" .Values.settings.PUBLIC_URL -}}
{{- $_ := required "settings.S3_BUCKET is required: servers share their files" .Values.settings.S3_BUCKET -}}
{{- $_ := required "settings.TRUSTED_PROXIES is required: without it all visitors count as one, the ingress controller" .Values.settings.TRUSTED_PROXIES -}}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}
