import { type NewView, type View, viewsApi } from '@parley/contracts/inbox/views'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer, refusal, refuseStale } from '../answer.ts'

const saved = new WeakMap<SampleDataset, Map<string, View>>()
let made = 0

function viewsOf(sampleDataset: SampleDataset): Map<string, View> {
  const views = saved.get(sampleDataset) ?? new Map<string, View>()
  saved.set(sampleDataset, views)
  return views
}

function find(sampleDataset: SampleDataset, id: string): View {
  const view = viewsOf(sampleDataset).get(id)
  if (!view) throw refusal('not_found', 'There is no such view.')
  return view
}

function save(sampleDataset: SampleDataset, view: NewView, of?: View): View {
  const isTaken = (other: View) =>
    other.id !== of?.id &&
    other.screen === view.screen &&
    other.shared === view.shared &&
    other.name.toLowerCase() === view.name.toLowerCase()
  if ([...viewsOf(sampleDataset).values()].some(isTaken)) {
    const message = `There is a view named ${view.name} already.`
    throw refusal('view_exists', message, { name: message })
  }
  if (!of) made += 1
  const { id = `view-${made}`, version = 0 } = of ?? {}
  const stored = { ...view, id, version: version + 1 }
  viewsOf(sampleDataset).set(id, stored)
  return stored
}

export const answers = [
  answer(viewsApi.list, ({ query: { screen } }, sampleDataset) => ({
    items: [...viewsOf(sampleDataset).values()]
      .filter((view) => view.screen === screen)
      .sort((left, right) => Number(right.shared) - Number(left.shared) || left.name.localeCompare(right.name)),
  })),
  answer(viewsApi.create, ({ body }, sampleDataset) => save(sampleDataset, body)),
  answer(viewsApi.update, ({ params, body: { version, ...view } }, sampleDataset) => {
    const before = find(sampleDataset, params.id)
    refuseStale('view', before, version)
    return save(sampleDataset, view, before)
  }),
  answer(viewsApi.remove, ({ params }, sampleDataset) => {
    find(sampleDataset, params.id)
    viewsOf(sampleDataset).delete(params.id)
    return undefined
  }),
]
