import { createBotStore, createBots } from './modules/bots/module.ts'
import { createSettings } from './modules/settings/module.ts'
import { createPlatform, type PlatformDependencies } from './platform/platform.ts'

export type Services = ReturnType<typeof createServices>

/** Wires the modules, from the ground up; server and worker take what they need of it. */
export function createServices(dependencies: PlatformDependencies) {
  const platform = createPlatform(dependencies)
  const settings = createSettings(platform)
  const store = createBotStore(platform)
  const none = async () => new Map()
  const bots = createBots(platform, {
    store,
    // No bot has a session yet.
    runs: {
      countRunning: none,
      countWaiting: none,
      isRunning: async () => false,
      move: async () => 0,
      end: async () => 0,
    },
    figuresOf: none,
    countOpen: none,
    beginFeed: async () => undefined,
  })
  return { settings, bots }
}
