import { isDeepStrictEqual } from 'node:util'
import { editBudget, editRules, uneditable } from '@parley/contracts/templates/template-edits'
import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import type { WarningRule } from '@parley/contracts/templates/template-findings'
import type { Template, TemplateContent } from '@parley/contracts/templates/templates'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { definitionOf } from '../../whatsapp/template-components.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import { shownAbove } from './content-key.ts'
import { linksOf } from './link-target.ts'
import type { TemplateHeaders } from './template-headers.ts'
import type { TemplateLint } from './template-lint.service.ts'
import type { TemplateRemoval } from './template-removal.ts'
import { type Caller, showTemplate, type TemplateStore } from './template-store.ts'
import { createTemplateSubmission } from './template-submission.ts'
import type { TemplateSyncs } from './template-syncs.ts'
import { type TemplateRecord, templateKey } from './templates.model.ts'
import type { TemplateChange, TemplatesRepository } from './templates.repository.ts'
import type { TemplatesService } from './templates.service.ts'
import { isUnsent } from './unsent.ts'
import { inUse, present, reachAccount, refuseTaken, withAddress } from './written-content.ts'

/** Changes of templates by members, each handed to WhatsApp for review. */
export function createTemplateChanges({
  templates,
  removal: { refuseHidden },
  headers,
  lint,
  store,
  syncs,
  find,
  numbers: { accountAccess: accessOf },
  campaignsOf,
  trackingAddress,
  now,
}: {
  templates: Pick<TemplatesRepository, 'byKey'>
  /** @throws `template_exists`, `validation_failed` for a name that a deleted template keeps. */
  removal: Pick<TemplateRemoval, 'refuseHidden'>
  headers: Pick<TemplateHeaders, 'checked' | 'samplesOf'>
  /** @throws `template_limit`, `warnings_open`. */
  lint: Pick<TemplateLint, 'refuse'>
  store: TemplateStore
  syncs: Pick<TemplateSyncs, 'askSoon'>
  find: TemplatesService['find']
  numbers: Pick<NumbersService, 'accountAccess'>
  /** The campaigns that are to send a template. */
  campaignsOf: (scope: WorkspaceScope, templateId: string) => Promise<TemplateUse[]>
  /** Prefix of counted links; undefined where visits cannot be counted. */
  trackingAddress: string | undefined
  now: Clock
}) {
  const submission = createTemplateSubmission({ store, headers, syncs })

  /**
   * Stores a template and hands it to WhatsApp for review. The same once more, while WhatsApp's answer is not known, continues
   * with what is stored: it is created once. @throws with WhatsApp's own words; nothing is kept then.
   */
  async function create(
    caller: Caller,
    { accountId, accepted, ...written }: TemplateContent & { accountId?: string | undefined } & Accepted,
  ): Promise<Template> {
    const content = await headers.checked(caller, withAddress(written, trackingAddress))
    const access = await reachAccount(accessOf, caller, accountId)
    const { businessAccountId } = access
    const key = templateKey(businessAccountId, content)
    await refuseHidden(caller, key)
    await lint.refuse(caller, content, { businessAccountId, accepted })
    let isRepeated = false
    const record = await store
      .create(caller, { ...present(content), businessAccountId, key, status: 'pending', ...sentNow() })
      .catch(async (error: unknown) => {
        const known = isDuplicateKey(error) ? await templates.byKey(caller, key) : undefined
        if (!known?.submittedAt || known.waTemplateId !== undefined || !isSame(known, content))
          return refuseTaken(error)
        isRepeated = true
        return known
      })
    const undo = () => store.discard(caller, record)
    return showTemplate(await submission.create(caller, record, { access, isRepeated, undo }))
  }

  /**
   * Replaces what a template says; WhatsApp reviews it again. Name and language are what it is known by; those of a draft, which
   * WhatsApp gets now, can be changed. It is stored before WhatsApp is called: no verdict can come before it, and no second change
   * beside it.
   */
  async function update(
    caller: Caller,
    id: string,
    { version, accepted, ...written }: TemplateContent & { version: number } & Accepted,
  ): Promise<Template> {
    const content = await headers.checked(caller, withAddress(written, trackingAddress))
    const before = await find(caller, id)
    if (before.version !== version) throw errors.staleVersion(showTemplate(before))
    const isNew = isUnsent(before)
    const key = templateKey(before.businessAccountId, content)
    if (isNew) {
      if (key !== before.key) await refuseHidden(caller, key)
    } else if (before.name !== content.name || before.language !== content.language) {
      const message = 'WhatsApp keeps a template’s name and language. Duplicate the template to change them.'
      throw errors.validation({ [before.name === content.name ? 'language' : 'name']: message })
    }
    if (before.status === 'approved' && before.category !== content.category)
      throw errors.validation({
        category: 'WhatsApp keeps the category of an approved template. Duplicate the template to change it.',
      })
    const submittedAt = now()
    refuseUneditable(before, submittedAt)
    const campaigns = (await campaignsOf(caller, id)).filter(({ status }) => status === 'active')
    if (campaigns.length > 0) throw inUse(before.name, campaigns, 'Pause or cancel')
    const access = await reachAccount(accessOf, caller, before.businessAccountId)
    await lint.refuse(caller, content, { businessAccountId: before.businessAccountId, stored: before, accepted })
    const isCounted = before.status === 'approved'
    const sending = { status: 'pending' as const, submittedAt, ...(isNew && { key, sentAt: submittedAt }) }
    const rewrite = (contentVersion: number): TemplateChange => ({
      ...replacing({ ...present(content), ...sending, contentVersion }, isNew),
      ...(isCounted && { $push: { editedAt: { $each: [submittedAt], $slice: -editRules.most } } }),
    })
    const stored = await store.rewrite(caller, before, rewrite).catch(refuseTaken)
    const undo = () => store.withdraw(caller, id, replacing({ ...before, editedAt: before.editedAt ?? [] }, isNew))
    const { waTemplateId } = before
    const sent =
      waTemplateId === undefined
        ? await submission.create(caller, stored, { access, isRepeated: true, undo })
        : await submission.edit(caller, stored, { access, waTemplateId, undo })
    return showTemplate(sent)
  }

  function sentNow() {
    const at = now()
    return { submittedAt: at, sentAt: at }
  }

  return { create, update }
}

interface Accepted {
  /** Warnings that the person who sends it has seen. */
  readonly accepted?: readonly WarningRule[] | undefined
}

/** Throws where WhatsApp would refuse any change of the template. */
function refuseUneditable(template: TemplateRecord, now: Date): void {
  const { name, unsupported = [], editedAt = [] } = template
  switch (uneditable(template, now)) {
    case 'unsupported':
      throw errors.wrongState(`Parley cannot change a part of ${name}: ${unsupported.join(', ')}.`)
    case 'pending':
      throw errors.wrongState(`WhatsApp is still reviewing ${name}. It can be changed once there is a verdict.`)
    case 'disabled':
      throw errors.wrongState(`WhatsApp has disabled ${name}: it cannot be changed. Duplicate it instead.`)
    case 'budget': {
      const { nextAt = now } = editBudget(editedAt, now)
      const hours = Math.ceil((nextAt.getTime() - now.getTime()) / 3600_000)
      const wait = hours > 48 ? `${Math.ceil(hours / 24)} days` : hours === 1 ? 'an hour' : `${hours} hours`
      const message = `WhatsApp allows one change to an approved template every 24 hours, and ten in 30 days. ${name} can be changed in ${wait}.`
      throw new AppError('edit_limit', message)
    }
  }
}

const required = ['category', 'body', 'buttons', 'examples', 'status', 'editedAt'] as const
const optional = [
  'header',
  'headerMedia',
  'authentication',
  'offer',
  'cards',
  'footer',
  'rejectionReason',
  'statusDetail',
  'submittedAt',
  'contentVersion',
  'draft',
] as const

/** Fields that are fixed once WhatsApp has a template. */
const identity = ['name', 'language', 'key', 'sentAt'] as const

/** A change after which these fields are as they are here, absent ones too. @param withIdentity its name and language, too. */
function replacing(record: Partial<TemplateRecord>, withIdentity: boolean): TemplateChange {
  const names = [...required, ...optional, ...(withIdentity ? identity : [])]
  const isLeft = new Set<string>(required)
  return {
    $set: Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]]))),
    $unset: Object.fromEntries(
      names.flatMap((name) => (record[name] === undefined && !isLeft.has(name) ? [[name, '']] : [])),
    ),
  }
}

/** Returns whether two contents are the same at WhatsApp, and in what it does not see: targets of counted links, files, products. */
const isSame = (record: TemplateRecord, content: TemplateContent): boolean =>
  isDeepStrictEqual(
    [definitionOf(record), linksOf(record, record.examples), mediaOf(record)],
    [definitionOf(content), linksOf(content, content.examples), mediaOf(content)],
  )

const mediaOf = ({ headerMedia, cards = [] }: Pick<TemplateContent, 'headerMedia' | 'cards'>) =>
  [headerMedia, ...cards.map((card) => card.headerMedia)].map(shownAbove)
