import { existsSync } from 'node:fs'
import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyInstance } from 'fastify'

/**
 * Registers what lies in a service's folders: every file of `plugins/`, then every `*.routes.ts` below `modules/`. Each
 * file's default export is a Fastify plugin that receives `options`.
 */
export async function loadModules(
  scope: FastifyInstance,
  { directory, options }: { directory: string; options: Record<string, unknown> },
): Promise<void> {
  const common = { forceESM: true, dirNameRoutePrefix: false, options }
  const plugins = join(directory, 'plugins')
  if (existsSync(plugins)) await scope.register(autoload, { ...common, dir: plugins, encapsulate: false })
  await scope.register(autoload, {
    ...common,
    dir: join(directory, 'modules'),
    matchFilter: (path) => path.endsWith('.routes.ts'),
  })
}
