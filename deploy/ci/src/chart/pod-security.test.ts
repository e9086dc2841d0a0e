import { expect, test } from 'vitest'
import { podSecurityProblems } from './pod-security.ts'

const container = {
  name: 'app',
  securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
}
const pod = {
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [container],
}
const withContext = (context: object) => ({
  ...pod,
  containers: [{ ...container, securityContext: { ...container.securityContext, ...context } }],
})

test('a pod that gives up everything has no problems', () => {
  expect(podSecurityProblems(pod)).toEqual([])
})

test.each([
  ['mounts a token of the API server', { ...pod, automountServiceAccountToken: undefined }],
  ['uses a namespace of the host', { ...pod, hostNetwork: true }],
  ['mounts a hostPath volume', { ...pod, volumes: [{ name: 'x', hostPath: { path: '/' } }] }],
  ['app may run as root', withContext({ runAsNonRoot: false })],
  ['app runs as root', withContext({ runAsUser: 0 })],
  ['app has no seccomp profile', { ...pod, securityContext: { runAsNonRoot: true } }],
  ['app is privileged', withContext({ privileged: true })],
  ['app may gain privileges', withContext({ allowPrivilegeEscalation: undefined })],
  ['app may write to its root file system', withContext({ readOnlyRootFilesystem: false })],
  ['app keeps capabilities', withContext({ capabilities: { drop: ['NET_RAW'] } })],
  ['app adds capabilities', withContext({ capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } })],
  ['app takes a port of the host', { ...pod, containers: [{ ...container, ports: [{ hostPort: 80 }] }] }],
])('%s', (problem, spec) => {
  expect(podSecurityProblems(spec)).toEqual([problem])
})

test('an init container is held to the same', () => {
  expect(podSecurityProblems({ ...pod, initContainers: [{ name: 'init' }] })).toContain('init keeps capabilities')
})
