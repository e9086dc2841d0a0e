import type { DraftFlow } from '@parley/contracts/automation/flow'
import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { starterFlows } from './starter-flows.ts'
import { useFlowSaves } from './use-flow-saves.ts'

interface Flow {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly draft: DraftFlow
}
class Stale extends Error {}

const labelled = (label: string): DraftFlow => {
  const [first, ...rest] = starterFlows.sample.nodes
  return first ? { ...starterFlows.sample, nodes: [{ ...first, label }, ...rest] } : starterFlows.sample
}

/** Opens a builder over a record that another member can change as well. */
function open() {
  let stored: Flow = { id: 'a', version: 1, name: 'Bot', draft: labelled('Old') }
  const { result } = renderHook(() =>
    useFlowSaves<Flow>({
      // The cached record may be newer than the one open in the builder.
      data: stored,
      onSave: async ({ version, ...change }) => {
        if (version !== stored.version) throw new Stale()
        stored = { ...stored, ...change, version: version + 1 }
        return stored
      },
      staleRecord: (error) => (error instanceof Stale ? stored : undefined),
    }),
  )
  return {
    stored: () => stored,
    saves: () => result.current,
    otherSaves: (change: Partial<Flow>) => {
      stored = { ...stored, ...change, version: stored.version + 1 }
    },
    save: (draft: DraftFlow) => act(() => result.current.onSave(draft).catch(() => {})),
  }
}

test('a flow that somebody else has saved meanwhile is not replaced without a question', async () => {
  const { stored, saves, save, otherSaves } = open()
  otherSaves({ draft: labelled('Theirs') })
  await save(labelled('Mine'))
  expect(stored().draft).toEqual(labelled('Theirs'))
  expect(saves().theirs).toEqual(labelled('Theirs'))
  await save(labelled('Mine'))
  expect(stored().draft).toEqual(labelled('Mine'))
  expect(saves().theirs).toBeUndefined()
})

test('who takes theirs goes on from it', async () => {
  const { stored, saves, save, otherSaves } = open()
  otherSaves({ draft: labelled('Theirs') })
  await save(labelled('Mine'))
  act(() => saves().onTaken())
  await save(labelled('Theirs and mine'))
  expect(stored().draft).toEqual(labelled('Theirs and mine'))
})

test('who decides later is asked again', async () => {
  const { stored, saves, save, otherSaves } = open()
  otherSaves({ draft: labelled('Theirs') })
  await save(labelled('Mine'))
  act(() => saves().onLater())
  await save(labelled('Mine'))
  expect(stored().draft).toEqual(labelled('Theirs'))
  expect(saves().theirs).toEqual(labelled('Theirs'))
})

test('a name that somebody else has given meanwhile stays when the flow is saved', async () => {
  const { stored, save, otherSaves } = open()
  otherSaves({ name: 'Bot of Ann' })
  await save(labelled('Mine'))
  expect(stored()).toMatchObject({ name: 'Bot of Ann', draft: labelled('Mine') })
})

test('renaming does not hide that the flow was changed elsewhere', async () => {
  const { stored, saves, save, otherSaves } = open()
  otherSaves({ draft: labelled('Theirs') })
  await act(() => saves().onRename('New name'))
  expect(stored().name).toBe('New name')
  await save(labelled('Mine'))
  expect(stored().draft).toEqual(labelled('Theirs'))
  expect(saves().theirs).toEqual(labelled('Theirs'))
})
