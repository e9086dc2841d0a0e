import { z } from 'zod'

const contextSchema = z
  .object({
    privileged: z.boolean(),
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    runAsNonRoot: z.boolean(),
    runAsUser: z.number(),
    seccompProfile: z.object({ type: z.string() }),
    capabilities: z.object({ drop: z.array(z.string()).default([]), add: z.array(z.string()).default([]) }),
  })
  .partial()
const containerSchema = z.object({
  name: z.string(),
  securityContext: contextSchema.default({}),
  ports: z.array(z.object({ hostPort: z.number().optional() })).default([]),
})
const podSchema = z.object({
  hostNetwork: z.boolean().default(false),
  hostPID: z.boolean().default(false),
  hostIPC: z.boolean().default(false),
  automountServiceAccountToken: z.boolean().default(true),
  securityContext: contextSchema.default({}),
  volumes: z.array(z.record(z.string(), z.unknown())).default([]),
  containers: z.array(containerSchema),
  initContainers: z.array(containerSchema).default([]),
})

const allowedVolumes = [
  'configMap',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

/**
 * What keeps a pod from Pod Security "restricted" (Kubernetes documentation, Pod Security Standards), and from two rules of
 * our own: a read-only root file system, and no token of the API server.
 */
export function podSecurityProblems(spec: unknown): string[] {
  const pod = podSchema.parse(spec)
  const problems: string[] = []
  const expectThat = (holds: boolean | undefined, problem: string) => {
    if (!holds) problems.push(problem)
  }
  expectThat(!pod.hostNetwork && !pod.hostPID && !pod.hostIPC, 'uses a namespace of the host')
  expectThat(!pod.automountServiceAccountToken, 'mounts a token of the API server')
  for (const volume of pod.volumes) {
    const [type = 'nothing'] = Object.keys(volume).filter((key) => key !== 'name')
    expectThat(allowedVolumes.includes(type), `mounts a ${type} volume`)
  }
  for (const { name, securityContext: own, ports } of [...pod.initContainers, ...pod.containers]) {
    const context = { ...pod.securityContext, ...own }
    expectThat(context.runAsNonRoot, `${name} may run as root`)
    expectThat(context.runAsUser !== 0, `${name} runs as root`)
    expectThat(
      ['RuntimeDefault', 'Localhost'].includes(context.seccompProfile?.type ?? ''),
      `${name} has no seccomp profile`,
    )
    expectThat(!own.privileged, `${name} is privileged`)
    expectThat(own.allowPrivilegeEscalation === false, `${name} may gain privileges`)
    expectThat(own.readOnlyRootFilesystem, `${name} may write to its root file system`)
    expectThat(own.capabilities?.drop.includes('ALL'), `${name} keeps capabilities`)
    expectThat(
      (own.capabilities?.add ?? []).every((added) => added === 'NET_BIND_SERVICE'),
      `${name} adds capabilities`,
    )
    expectThat(
      ports.every(({ hostPort }) => !hostPort),
      `${name} takes a port of the host`,
    )
  }
  return problems
}
