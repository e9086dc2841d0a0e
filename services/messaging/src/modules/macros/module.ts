import type { Platform } from '../../platform/platform.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import { createMacrosRepository } from './macros.repository.ts'
import { createMacrosService } from './macros.service.ts'
import { createMacroRuns } from './run-macro.ts'

/** Macros: named lists of actions on conversations and their contacts. */
export function createMacros(platform: Platform, lower: Inbox & Contacts) {
  const macros = createMacrosService({
    ...platform,
    macros: createMacrosRepository(platform.mongo),
    findMembers: platform.members.find,
  })
  const macroRuns = createMacroRuns({
    ...platform,
    ...lower,
    findMacro: macros.find,
    requireReach: lower.inbox.requireReach,
  })
  return { macros, macroRuns }
}
