import type { Platform } from '../../platform/platform.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import { createMacrosService } from './macros.service.ts'
import { createMacroRuns } from './run-macro.ts'

/** Macros: named lists of actions on conversations and their contacts. */
export function createMacros(platform: Platform, lower: Inbox & Contacts) {
  const macros = createMacrosService(platform)
  return { macros, macroRuns: createMacroRuns({ ...platform, ...lower, macros }) }
}
