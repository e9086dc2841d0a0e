import type { Audience, Campaign, CampaignAction, campaignsApi, Missed, NewCampaign } from '@parley/contracts/campaigns'
import type { EndpointInput } from '@parley/contracts/endpoint'
import { templatePlaceholders } from '@parley/contracts/placeholders'
import { isNameable } from '@parley/flow/template-values'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { foldText } from '../../search-text.ts'
import { isStopped } from '../../whatsapp/error-classes.ts'
import type { NumberRecord } from '../numbers/numbers.service.ts'
import type { TemplateRecord } from '../templates/templates.service.ts'
import type { AudiencePreview, PlanCost } from './audience-preview.ts'
import type { Means } from './auto-pause.ts'
import { tellCampaign } from './campaign-events.ts'
import { type CampaignRecord, watched } from './campaigns.model.ts'
import type { CampaignsRepository } from './campaigns.repository.ts'
import type { CampaignsService } from './campaigns.service.ts'
import type { MissedRows } from './missed.ts'
import type { OpenMessages } from './open-messages.ts'
import type { Quota } from './quota/quota.service.ts'
import { holdsRows } from './quota/share.ts'
import type { RecipientsRepository } from './recipients.repository.ts'
import { createResumedAs } from './resumed-as.ts'
import { countsOf } from './tallies.ts'

interface Caller extends WorkspaceScope {
  readonly userId: string
}

type Change = EndpointInput<typeof campaignsApi.change>['body']

interface Dependencies {
  readonly campaigns: CampaignsRepository
  readonly shown: Pick<CampaignsService, 'find' | 'showOne'>
  readonly preview: AudiencePreview['preview']
  readonly planCost: PlanCost
  readonly open: OpenMessages
  /** @throws `not_found`. */
  readonly findTemplate: (scope: WorkspaceScope, id: string) => Promise<TemplateRecord>
  readonly findNumber: (scope: WorkspaceScope, id: string) => Promise<NumberRecord>
  /** Its template and its number as they are now. */
  readonly meansOf: (campaign: CampaignRecord) => Promise<Means>
  /** @throws `not_found`, `wrong_state`. */
  readonly earlier: MissedRows['earlier']
  readonly nameOfSegment: (scope: WorkspaceScope, id: string) => Promise<string>
  readonly totals: RecipientsRepository['totals']
  readonly quota: Pick<Quota, 'prepare' | 'settleCounted'>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Has a worker look at campaigns at once. */
  readonly queue: (campaigns: readonly { id: string; workspaceId: string }[]) => Promise<void>
  readonly now?: () => Date
}

const statusesBefore: Record<CampaignAction, readonly Campaign['status'][]> = {
  pause: ['active'],
  resume: ['paused'],
  cancel: ['scheduled', 'active', 'paused'],
}
const statusAfter = { pause: 'paused', resume: 'active', cancel: 'cancelled' } as const

export const nameOfTags = (tags: readonly string[]): string => `Tagged ${tags.join(', ')}`.slice(0, 200)

/** What people do with campaigns. */
export function createCampaignChanges(deps: Dependencies) {
  const { campaigns, shown, preview, open, findTemplate, findNumber, transaction, queue, now = () => new Date() } = deps
  const resumedAs = createResumedAs(deps)

  /** @throws `not_found`, `template_not_approved`, `wrong_state`, `validation_failed`, `quota_exceeded`. */
  async function create(ctx: Caller, input: NewCampaign): Promise<Campaign> {
    const { name, audience, numberId, templateId, variables, scheduledFor, anyHour } = input
    const [template, number] = await Promise.all([templateFor(ctx, input), numberFor(ctx, numberId)])
    if (template.businessAccountId !== number.businessAccountId)
      throw errors.validation({ templateId: 'This template belongs to another account than the number.' })
    if (isStopped(number.stopped, { isTemplate: true, category: template.category }))
      throw errors.wrongState('It cannot leave from this number now. See WhatsApp Numbers.')
    const at = scheduledFor === undefined ? undefined : new Date(scheduledFor)
    if (at && at <= now()) throw errors.validation({ scheduledFor: 'That time has passed: choose a later one.' })
    const { header, body, footer, buttons, language, category } = template
    const recentDays = category === 'marketing' ? input.recentDays : undefined
    const question = { audience, templateId, recentDays, scheduledFor }
    const [expected, planned] = await Promise.all([preview(ctx, question), deps.planCost(ctx, question)])
    // A scheduled one holds nothing until it starts.
    const quota = at ? undefined : await deps.quota.prepare(ctx, expected.reachable)
    const record = {
      name,
      searchKey: foldText(`${name} ${template.name}`),
      audience: storedAudience(audience),
      audienceName: (await nameOf(ctx, audience)).slice(0, 200),
      numberId,
      templateId,
      template: { name: template.name, language, category, header, body, footer, buttons },
      variables,
      ...(at
        ? { status: 'scheduled' as const, scheduledFor: at }
        : { status: 'active' as const, startedAt: now(), roundAt: now() }),
      ...(number.quality === 'low' && { lowQualityAccepted: true as const }),
      expected,
      ...(planned && { planned }),
      ...(quota && { hold: quota.hold }),
      frozen: { rows: 0, done: false },
      position: 0,
      ...(anyHour && { anyHour }),
      ...(recentDays !== undefined && { recentDays }),
      watch: watched,
      nextAt: at ?? now(),
    } as const
    const created = await transaction(async (tx) => {
      const campaign = await campaigns.create(ctx, record, tx)
      await quota?.take(campaign.id, tx)
      tellCampaign(campaign, { kind: 'user', id: ctx.userId }, tx)
      return campaign
    })
    if (!at) await queue([created])
    return shown.showOne(ctx, created)
  }

  async function templateFor(ctx: Caller, { templateId, variables }: NewCampaign): Promise<TemplateRecord> {
    if (!isId(templateId)) throw errors.notFound('There is no such template.')
    const template = await findTemplate(ctx, templateId)
    if (template.status !== 'approved')
      throw new AppError('template_not_approved', 'WhatsApp has not approved this template. Choose another one.')
    if (template.unsupported?.length)
      throw errors.wrongState(`Parley cannot fill in a part of ${template.name}: ${template.unsupported.join(', ')}.`)
    for (const key of templatePlaceholders(template)) {
      const source = Object.hasOwn(variables, key) ? variables[key] : undefined
      if (!source) throw errors.validation({ [`variables.${key}`]: `Choose what {{${key}}} is filled with.` })
      if (source.kind === 'field' && !isNameable(source.field))
        throw errors.validation({ [`variables.${key}.field`]: `Contacts have no field ${source.field}.` })
    }
    return template
  }

  async function numberFor(ctx: Caller, numberId: string): Promise<NumberRecord> {
    if (!isId(numberId)) throw errors.notFound('There is no such number.')
    const number = await findNumber(ctx, numberId)
    return number
  }

  async function nameOf(ctx: Caller, audience: Audience): Promise<string> {
    if (audience.kind === 'tags') return nameOfTags(audience.tags)
    if (audience.kind === 'segment') return `Segment ${await deps.nameOfSegment(ctx, audience.segmentId)}`
    if (audience.kind === 'campaign')
      return `${(await deps.earlier(ctx, audience)).name}: ${missedWords[audience.missed]}`
    const count = storedAudience(audience).contactIds.length
    return count === 1 ? '1 contact' : `${count} contacts`
  }

  /**
   * Pauses, resumes or cancels. When it answers, no further request of a paused or cancelled campaign begins. The same action
   * again comes to the same. @throws `not_found`, `wrong_state`, `pause_reason_holds`, `quota_exceeded`.
   */
  async function change(ctx: Caller, id: string, { action, newText }: Change): Promise<Campaign> {
    const campaign = await shown.find(ctx, id)
    const changed = campaign.status === statusAfter[action] ? campaign : await move(ctx, campaign, action, newText)
    if (action === 'pause') await open.hold(changed)
    if (action === 'resume') await open.release(changed)
    if (action === 'cancel') {
      await open.cancel(changed)
      await deps.quota.settleCounted(ctx, id)
    }
    await queue([changed])
    return shown.showOne(ctx, await shown.find(ctx, id))
  }

  async function move(ctx: Caller, campaign: CampaignRecord, action: CampaignAction, newText: string | undefined) {
    const at = now()
    const status = statusAfter[action]
    const begins = action === 'resume' && !campaign.startedAt
    const resumed = action === 'resume' ? await resumedAs(campaign, at, { newText, userId: ctx.userId }) : undefined
    const quota = action === 'resume' ? await quotaFor(campaign) : undefined
    const set = {
      status,
      watch: watched,
      nextAt: at,
      ...(resumed ? { ...resumed, ...(begins && { startedAt: at }) } : { stoppedAt: at }),
      ...(quota && { hold: quota.hold }),
    } as const
    const changed = await transaction(async (tx) => {
      const seen = { status: { $in: statusesBefore[action] } }
      const record = await campaigns.change(
        ctx,
        campaign.id,
        { seen, update: { $set: set, $unset: { pausedFor: 1, pauseDetail: 1 } } },
        tx,
      )
      if (!record) return null
      tellCampaign(record, { kind: 'user', id: ctx.userId }, tx)
      await quota?.take(record.id, tx)
      // Somebody has resumed it, and it was paused for quota, since it was read.
      if (action === 'resume' && !record.hold) throw errors.wrongState('This campaign has changed meanwhile.')
      return record
    })
    if (changed) return changed
    const current = await shown.find(ctx, campaign.id)
    if (current.status === status) return current
    throw errors.wrongState(`This campaign is ${current.status}, which has changed meanwhile.`)
  }

  /** What a campaign needs that holds nothing yet, or not as much as it has people who wait for it. */
  async function quotaFor(campaign: CampaignRecord) {
    const { workspaceId, id, hold, frozen, expected } = campaign
    if (hold && holdsRows(campaign)) return undefined
    const tallies = (await deps.totals({ workspaceId }, [id])).get(id) ?? {}
    const { queued, uncertain, sent } = countsOf(tallies)
    const needed = frozen.done ? (frozen.pending ?? queued + uncertain) : expected.reachable
    return deps.quota.prepare({ workspaceId }, needed, hold?.before ?? sent)
  }

  return { create, change }
}

const missedWords: Record<Missed, string> = {
  failed: 'failed',
  not_delivered: 'not delivered',
  not_read: 'delivered, not read',
  not_replied: 'delivered, no reply',
}

/** Each contact once; what is no id is in no workspace. */
function storedAudience<A extends Audience>(audience: A): A {
  return audience.kind === 'contacts'
    ? { ...audience, contactIds: [...new Set(audience.contactIds)].filter(isId) }
    : audience
}
