import type { Template } from '../records.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import type { Change } from '../webhooks/webhook-body.ts'
import type { World } from '../world.ts'

const dayMs = 24 * 3600_000
/** Events that are a status too. */
const eventStatuses = new Set(['IN_APPEAL', 'LIMIT_EXCEEDED', 'ARCHIVED'])

/** Applies and announces the platform's decisions about a template. */
export function createTemplateEvents({ world, deliveries }: { world: World; deliveries: Deliveries }) {
  const { clock } = world

  function setStatus(template: Template, status: string, details: Record<string, unknown>): Template {
    const changed = { ...template, status, verdictAt: null }
    world.templates.put(changed.id, changed)
    emit(changed, 'message_template_status_update', {
      reason: 'NONE',
      message_template_category: changed.category,
      ...details,
    })
    return changed
  }

  function recategorise(template: Template, category: string): Template {
    const changed = { ...template, category, previousCategory: template.category }
    world.templates.put(changed.id, changed)
    emit(changed, 'template_category_update', { previous_category: template.category, new_category: category })
    return changed
  }

  /** Announces that the category is wrong, and changes it in a day. */
  function impend(template: Template, category: string): Template {
    emit(template, 'template_category_update', {
      new_category: template.category,
      correct_category: category,
      category_update_timestamp: Math.floor((clock.now() + dayMs) / 1000),
    })
    return template
  }

  /** Handles any other event: some are also a status, the rest change none. */
  const announce = (template: Template, event: string) =>
    setStatus(template, eventStatuses.has(event) ? event : template.status, { event })

  function rate(template: Template, quality: string): Template {
    const changed = { ...template, quality }
    world.templates.put(changed.id, changed)
    emit(changed, 'message_template_quality_update', {
      previous_quality_score: template.quality,
      new_quality_score: quality,
    })
    return changed
  }

  /** Revises a template as in WhatsApp Manager. The changed components are announced, nothing else. */
  function revise(template: Template, components: Template['components']): Template {
    const changed = { ...template, components }
    world.templates.put(changed.id, changed)
    const body = components.find(({ type }) => type === 'BODY')
    emit(changed, 'message_template_components_update', { message_template_element: body?.['text'] })
    return changed
  }

  function emit(template: Template, field: string, details: Record<string, unknown>): void {
    const value = {
      ...details,
      message_template_id: Number(template.id),
      message_template_name: template.name,
      message_template_language: template.language.replace('_', '-'),
    }
    deliveries.emit(template.accountId, { field, value } satisfies Change)
  }

  return { setStatus, recategorise, impend, announce, rate, revise, emit }
}
