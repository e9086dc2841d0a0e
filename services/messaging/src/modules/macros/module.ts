import type { Base } from '../../records.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import { createMacrosService } from './macros.service.ts'
import { createMacroRuns } from './run-macro.ts'

/** Macros: named lists of actions on conversations and their contacts. */
export function createMacros(lower: Base & Inbox & Contacts) {
  const macros = createMacrosService(lower)
  return { macros, macroRuns: createMacroRuns({ ...lower, macros }) }
}
