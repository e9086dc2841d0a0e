import { nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { z } from 'zod'
import type { DraftSettings } from './kinds.ts'

/** Values of a node that the inspector edits. */
export interface NodeFormValues {
  label: string
  description: string
  settings: DraftSettings
}

/** Settings may stay incomplete while they are written; what is wrong with them is said beside the field. */
export const nodeFormSchema = z.object({
  label: z.string().max(60, 'At most 60 characters'),
  description: z.string().max(300, 'At most 300 characters'),
  settings: z.looseObject({ kind: z.string() }).superRefine((settings, context) => {
    const { error } = nodeSettingsSchema.safeParse(settings)
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path: [...path], message })
  }),
})
