import { createSettings } from './modules/settings/module.ts'
import { createPlatform, type PlatformDependencies } from './platform/platform.ts'

export type Services = ReturnType<typeof createServices>

/** Wires the modules, from the ground up; server and worker take what they need of it. */
export function createServices(dependencies: PlatformDependencies) {
  const platform = createPlatform(dependencies)
  const settings = createSettings(platform)
  return { settings }
}
