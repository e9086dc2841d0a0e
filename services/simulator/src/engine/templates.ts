import type { z } from 'zod'
import { GraphError } from '../graph/graph-error.ts'
import type { Template } from '../records.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import type { World } from '../world.ts'
import { checkButtons } from './template-buttons.ts'
import { cardsOf, checkCarousel } from './template-carousel.ts'
import {
  checkVariables,
  componentsSchema,
  definitionSchema,
  editSchema,
  parsed,
  type placedTemplateSchema,
} from './template-definition.ts'
import { createTemplateEvents } from './template-events.ts'
import { checkOffer } from './template-offer.ts'
import { checkParts, writtenOut } from './template-parts.ts'
import { createTemplateReview } from './template-review.ts'

const createsPerHour = 100
const hourMs = 3600_000
const dayMs = 24 * hourMs
const maxEdits = 10
const nameBlockedMs = 30 * dayMs
const editsWithinMs = 30 * dayMs

type Definition = z.infer<typeof definitionSchema>

/** Templates of accounts, each with its review. */
export function createTemplates({ world, deliveries }: { world: World; deliveries: Deliveries }) {
  const { clock, random } = world
  const events = createTemplateEvents({ world, deliveries })
  const { scheduleVerdict, ...review } = createTemplateReview(world, events)
  const { recategorise, impend, announce, rate, revise } = events
  const created = new Map<string, number[]>()
  /** Times at which approved templates were deleted: their names are not free for a while. */
  const deleted = new Map<string, number>()

  /** Types of the samples that were uploaded, by their handles. */
  const handles = new Map<string, string>()

  const ofAccount = (accountId: string): Template[] =>
    [...world.templates.values()].filter((template) => template.accountId === accountId)

  function isForm(accountId: string, id: string): boolean {
    const form = world.forms.get(id)
    return form?.accountId === accountId && form.status === 'PUBLISHED'
  }

  /** Converts a definition to the form that the platform keeps. @throws GraphError where it is refused. */
  function partsOf(
    accountId: string,
    category: string,
    components: Definition['components'],
  ): Definition['components'] {
    if (category === 'AUTHENTICATION') return parsed(componentsSchema, writtenOut(components))
    checkVariables(components)
    checkParts(components, (handle) => handles.get(handle))
    checkOffer(components, category)
    checkButtons(components, { category, isForm: (id) => isForm(accountId, id) })
    checkCarousel(components, category)
    for (const card of cardsOf(components) ?? []) checkParts(card, (handle) => handles.get(handle))
    return components
  }

  /** @throws GraphError for a definition that the platform refuses at once. */
  function create(accountId: string, body: unknown): Template {
    const input = parsed(definitionSchema, body)
    const definition = { ...input, components: partsOf(accountId, input.category, input.components) }
    const account = world.accounts.get(accountId)
    const times = (created.get(accountId) ?? []).filter((at) => at > clock.now() - hourMs)
    if (times.length >= createsPerHour) throw new GraphError(80007)
    created.set(accountId, [...times, clock.now()])
    const { name, language } = definition
    if (ofAccount(accountId).some((known) => known.name === name && known.language === language)) {
      throw new GraphError(2388024, {
        message: 'Invalid parameter',
        userTitle: 'Content in this language already exists',
        userMessage: `There is already ${language} content for this template. You can create a new template and try again.`,
      })
    }
    if ((deleted.get(`${accountId}/${name}/${language}`) ?? Number.NEGATIVE_INFINITY) > clock.now() - nameBlockedMs) {
      throw new GraphError(2388023, {
        message: 'Invalid parameter',
        userTitle: 'Message template language is being deleted',
        userMessage: `New ${language} content can't be added while the existing ${language} content is being deleted. Try again in 4 weeks or create a new message template.`,
      })
    }
    return submit({
      id: random.digits(15),
      accountId,
      name,
      language,
      category: definition.category,
      previousCategory: null,
      status: 'PENDING',
      rejectedReason: 'NONE',
      parameterFormat: definition.parameter_format,
      components: definition.components,
      quality: 'UNKNOWN',
      createdAt: clock.now(),
      editedAt: [],
      verdictAt: account?.reviewMs == null ? null : clock.now() + account.reviewMs,
    })
  }

  /** Adds templates that the account has had for a while, as they are: nothing is announced about them. */
  function addExisting(accountId: string, placed: readonly z.infer<typeof placedTemplateSchema>[]): void {
    for (const { id, status, rejected_reason: rejectedReason, quality, ...definition } of placed)
      world.templates.put(id, {
        id,
        accountId,
        status,
        rejectedReason,
        quality,
        name: definition.name,
        language: definition.language,
        category: definition.category,
        previousCategory: null,
        parameterFormat: definition.parameter_format,
        components: definition.components,
        createdAt: clock.now(),
        editedAt: [],
        verdictAt: null,
      })
  }

  /** Replaces the components; the template goes to review again. */
  function edit(template: Template, body: unknown): Template {
    const { components, category } = parsed(editSchema, body)
    if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) {
      throw uneditable(`A template that is ${template.status.toLowerCase()} cannot be edited.`)
    }
    const isApproved = template.status === 'APPROVED'
    const recent = template.editedAt.filter((at) => at > clock.now() - editsWithinMs)
    if (isApproved && (recent.length >= maxEdits || recent.some((at) => at > clock.now() - dayMs)))
      throw uneditable('An approved template can be edited once in 24 hours and 10 times in 30 days.')
    const parts =
      components &&
      partsOf(template.accountId, isApproved ? template.category : (category ?? template.category), components)
    const reviewMs = world.accounts.get(template.accountId)?.reviewMs
    return submit({
      ...template,
      components: parts ?? template.components,
      editedAt: isApproved ? [...recent, clock.now()] : recent,
      category: isApproved ? template.category : (category ?? template.category),
      status: 'PENDING',
      rejectedReason: 'NONE',
      verdictAt: reviewMs == null ? null : clock.now() + reviewMs,
    })
  }

  function submit(template: Template): Template {
    world.templates.put(template.id, template)
    scheduleVerdict(template)
    return template
  }

  /** Deletes every language of a name, or one template, whose name has to match. */
  function remove(accountId: string, { name, id }: { name?: string | undefined; id?: string | undefined }): void {
    const doomed = ofAccount(accountId).filter((template) =>
      id === undefined ? template.name === name : template.id === id && (name === undefined || template.name === name),
    )
    if (doomed.length === 0)
      throw new GraphError(100, { message: '(#100) Invalid parameter', details: 'Message template not found' })
    for (const template of doomed) {
      world.templates.remove(template.id)
      if (!['REJECTED', 'PENDING'].includes(template.status))
        deleted.set(`${accountId}/${template.name}/${template.language}`, clock.now())
      events.emit(template, 'message_template_status_update', {
        event: 'PENDING_DELETION',
        reason: null,
        message_template_category: template.category,
      })
    }
  }

  return {
    ofAccount,
    create,
    addExisting,
    edit,
    remove,
    ...review,
    recategorise,
    impend,
    announce,
    rate,
    revise,
    keepHandle: (handle: string, type: string) => void handles.set(handle, type),
  }
}

const uneditable = (userMessage: string) =>
  new GraphError(2388039, { message: 'Invalid parameter', userTitle: 'Template cannot be edited', userMessage })
