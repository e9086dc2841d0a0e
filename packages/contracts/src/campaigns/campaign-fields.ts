import { z } from 'zod'
import { daySchema, idSchema, recordKey, storedFields } from '../core/records.ts'
import { templateLimits } from '../templates/template-limits.ts'
import { failureClasses } from './failure-classes.ts'
import { recentDaysSchema } from './recent-messages.ts'
import { recipientFileSchema } from './recipient-files.ts'
import { clockSchema } from './sending-hours.ts'

/**
 * Groups of recipients that a campaign has not reached, or that have not answered it. `not_confirmed`, those that it may have
 * reached, is in none of the others: only a person decides to send to them again.
 */
export const missedKinds = ['failed', 'not_delivered', 'not_read', 'not_replied', 'not_confirmed'] as const
export type Missed = (typeof missedKinds)[number]

const tagsSchema = z.array(z.string().max(40)).max(50)

/** Meaning of several tags: a contact carries any of them, or all. */
export const tagMatches = ['any', 'all'] as const
export type TagMatch = (typeof tagMatches)[number]

/** Contacts with one of these tags, or in one of these segments, are left out of an audience. */
const exclusionSchema = z.object({ tags: tagsSchema, segmentIds: z.array(idSchema).max(20) })
export type Exclusion = z.infer<typeof exclusionSchema>

const leavingOut = { exclude: exclusionSchema.optional() }

/** Failure classes to select among the failed recipients; absent: all. */
export const classesSchema = z.array(z.enum(failureClasses)).min(1).max(failureClasses.length).optional()

export const audienceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('segment'), segmentId: idSchema, ...leavingOut }),
  z.object({
    kind: z.literal('tags'),
    tags: tagsSchema.min(1, 'Choose at least one tag'),
    /** Absent: contacts with any of the tags. */
    match: z.enum(tagMatches).optional(),
    ...leavingOut,
  }),
  z.object({
    kind: z.literal('contacts'),
    contactIds: z.array(idSchema).min(1, 'Choose at least one contact').max(1000),
    ...leavingOut,
  }),
  /** Contacts that an import has added or changed, while its rows are kept. */
  z.object({ kind: z.literal('import'), importId: idSchema, ...leavingOut }),
  /** Recipients of an earlier campaign that has ended. */
  z.object({
    kind: z.literal('campaign'),
    campaignId: idSchema,
    missed: z.enum(missedKinds),
    classes: classesSchema,
    ...leavingOut,
  }),
])
export type Audience = z.infer<typeof audienceSchema>

/** Source of a placeholder's value. */
const variableSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().trim().min(1, 'Enter a value').max(templateLimits.value) }),
  z.object({
    kind: z.literal('field'),
    field: z.string().min(1).max(80),
    fallback: z.string().trim().min(1, 'Enter a fallback').max(templateLimits.value),
  }),
])
export type VariableSource = z.infer<typeof variableSourceSchema>

/** Time at which it starts, by the clock of the workspace's zone: that of its sending hours. */
export const scheduleSchema = z.object({ date: daySchema, time: clockSchema })

const optionFields = {
  /** Absent: as soon as it is launched. */
  schedule: scheduleSchema.optional(),
  /** Marketing that does not keep to the workspace's sending hours. */
  anyHour: z.literal(true).optional(),
  /** Leaves out contacts that had marketing in this number of days; not kept for templates other than marketing. */
  recentDays: recentDaysSchema.optional(),
  /** Sends it again, a day after it has ended and by a campaign of its own, to those whom WhatsApp has held marketing back from. */
  retryHeldBack: z.literal(true).optional(),
  /** File of its own for each recipient, in place of the template's; not kept for templates whose header is no file. */
  recipientFile: recipientFileSchema.optional(),
}

/** Requirements of a draft for its review. */
export const completeDraftSchema = z.object({
  name: z.string().trim().min(1, 'Enter a name').max(120, 'At most 120 characters'),
  audience: audienceSchema,
  numberId: idSchema,
  templateId: idSchema,
  variables: z.record(recordKey, variableSourceSchema),
  ...optionFields,
})
export type CompleteDraft = z.infer<typeof completeDraftSchema>

const draftText = z.string().max(templateLimits.value)
const draftSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: draftText }),
  z.object({ kind: z.literal('field'), field: z.string().min(1).max(80), fallback: draftText }),
])

/** A campaign as far as it has been written. */
export const draftFieldsSchema = z.object({
  name: z.string().trim().max(120, 'At most 120 characters'),
  audience: audienceSchema.optional(),
  numberId: idSchema.optional(),
  templateId: idSchema.optional(),
  variables: z.record(recordKey, draftSourceSchema),
  ...optionFields,
})
export type DraftFields = z.infer<typeof draftFieldsSchema>

export const campaignDraftSchema = z.object({
  ...storedFields,
  ...draftFieldsSchema.shape,
  /** A schedule stored before days had bounds is returned unchanged. */
  schedule: z.object({ date: z.iso.date(), time: clockSchema }).optional(),
  status: z.literal('draft'),
  /** Audience as in a campaign; empty where nothing is chosen. */
  audienceName: z.string().max(200),
  templateName: z.string().max(512),
  /** Names of the contacts that were chosen one by one; only where one draft is read. */
  contacts: z
    .array(z.object({ id: idSchema, name: z.string().max(200) }))
    .max(1000)
    .optional(),
  /** Name of the campaign that it follows. */
  earlierName: z.string().max(120).optional(),
})
export type CampaignDraft = z.infer<typeof campaignDraftSchema>
