import { type NewView, type View, viewsApi } from '@parley/contracts/views'
import type { Story } from '@parley/sample/story'
import { answer, refusal, refuseStale } from '../answer.ts'

const saved = new WeakMap<Story, Map<string, View>>()
let made = 0

function viewsOf(story: Story): Map<string, View> {
  const views = saved.get(story) ?? new Map<string, View>()
  saved.set(story, views)
  return views
}

function find(story: Story, id: string): View {
  const view = viewsOf(story).get(id)
  if (!view) throw refusal('not_found', 'There is no such view.')
  return view
}

function save(story: Story, view: NewView, of?: View): View {
  const isTaken = (other: View) =>
    other.id !== of?.id &&
    other.screen === view.screen &&
    other.shared === view.shared &&
    other.name.toLowerCase() === view.name.toLowerCase()
  if ([...viewsOf(story).values()].some(isTaken)) {
    const message = `There is a view named ${view.name} already.`
    throw refusal('view_exists', message, { name: message })
  }
  if (!of) made += 1
  const { id = `view-${made}`, version = 0 } = of ?? {}
  const stored = { ...view, id, version: version + 1 }
  viewsOf(story).set(id, stored)
  return stored
}

export const answers = [
  answer(viewsApi.list, ({ query: { screen } }, story) => ({
    items: [...viewsOf(story).values()]
      .filter((view) => view.screen === screen)
      .sort((left, right) => Number(right.shared) - Number(left.shared) || left.name.localeCompare(right.name)),
  })),
  answer(viewsApi.create, ({ body }, story) => save(story, body)),
  answer(viewsApi.update, ({ params, body: { version, ...view } }, story) => {
    const before = find(story, params.id)
    refuseStale('view', before, version)
    return save(story, view, before)
  }),
  answer(viewsApi.remove, ({ params }, story) => {
    find(story, params.id)
    viewsOf(story).delete(params.id)
    return undefined
  }),
]
