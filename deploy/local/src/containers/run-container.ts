import { drainSeconds } from '@parley/processes/stop'
import { GenericContainer, getContainerRuntimeClient } from 'testcontainers'
import { z } from 'zod'
import { containerSpecSchema } from './program.ts'

/** Runs one container until it ends or this process is asked to; its log is this process's output. */
const spec = containerSpecSchema.parse(JSON.parse(process.env['CONTAINER_SPEC'] ?? ''))
const docker = (await getContainerRuntimeClient()).container.dockerode

// A container that a killed launcher left behind holds the port and the files.
await docker
  .getContainer(spec.name)
  .remove({ force: true })
  .catch((error: { statusCode?: number }) => {
    if (error.statusCode !== 404) throw error
  })
const container = await new GenericContainer(spec.image)
  .withName(spec.name)
  .withNetworkMode('host')
  .withUser(spec.user)
  .withEntrypoint(spec.entrypoint)
  .withCommand(spec.args)
  .withEnvironment(spec.env)
  .withBindMounts(spec.mounts)
  .withLogConsumer((stream) => stream.pipe(process.stdout))
  .start()

let stopping: Promise<unknown> | undefined
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    stopping ??= container.stop({ timeout: drainSeconds * 1000 })
  })
}
const { StatusCode } = z.object({ StatusCode: z.number() }).parse(await docker.getContainer(container.getId()).wait())
// Stopped on request it is also removed, which takes a moment more than its end.
await stopping
process.exit(stopping ? 0 : StatusCode || 1)
