import { z } from 'zod'
import { consentSettingsSchema } from '../contacts/consent.ts'
import { attributeSchema } from '../contacts/contact-attributes.ts'
import { idSchema, timeSchema } from '../core/records.ts'
import { businessHoursSchema } from '../inbox/opening-hours.ts'
import { sampleDataStateSchema } from '../platform/sample-data.ts'
import { formSummarySchema } from '../templates/forms.ts'
import { templateCategories } from '../templates/templates.ts'

/** Records of a workspace that publishing checks a flow against. */
export const flowLookupsSchema = z.object({
  numbers: z
    .array(z.object({ id: idSchema, name: z.string().max(120), businessAccountId: z.string().max(64) }))
    .max(500),
  fields: z.array(attributeSchema.omit({ version: true })).max(500),
  templates: z
    .array(
      z.object({
        id: idSchema,
        name: z.string().max(512),
        status: z.string().max(40),
        /** Names or numbers of the placeholders to fill in; each card of ten may have its own. */
        placeholders: z.array(z.string().max(64)).max(500),
        businessAccountId: z.string().max(64).optional(),
        /** Reason why it cannot be sent though it is approved, without a full stop. */
        unsendable: z.string().max(5500).optional(),
        category: z.enum(templateCategories).optional(),
      }),
    )
    .max(200),
  /** Forms that were named; those that are missing here exist in no account of the workspace. */
  forms: z.array(formSummarySchema).max(200).optional(),
  openingHours: businessHoursSchema,
  /** Words of consent of the workspace, beside those of all languages. */
  consentWords: consentSettingsSchema.pick({ stop: true, stopAll: true, start: true, ignored: true }),
  /** `toldAt`: reference moment of the sample, from which its ids are computed; absent before the first load. */
  sampleData: sampleDataStateSchema.extend({ toldAt: timeSchema.optional() }),
})
