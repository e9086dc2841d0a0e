import type { DraftFlow, NodeKind } from '@parley/contracts/automation/flow'
import type { FlowScript } from '@parley/contracts/automation/flow-tests'
import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { useReactFlow } from '@xyflow/react'
import { type DragEvent, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { explain } from '../lib/explain.ts'
import { useScreenCommands } from '../lib/screen-commands.ts'
import { useUser } from '../lib/user.ts'
import { toast } from '../ui/toast.ts'
import { useMedia } from '../ui/use-media.ts'
import { type FlowEditorProps, useChoices } from './builder-context.ts'
import { Canvas } from './canvas.tsx'
import { CanvasTools } from './canvas-tools.tsx'
import { EditorBar } from './editor-bar.tsx'
import { Dock, PaneSheets, type SheetName, SidePane } from './editor-panes.tsx'
import { FlowConflict } from './flow-conflict.tsx'
import styles from './flow-editor.module.css'
import { changeNode, nodeSize, type Position } from './flow-edits.ts'
import { Inspector } from './inspector.tsx'
import { kindOf } from './kinds.ts'
import { Palette } from './palette.tsx'
import { dragType } from './palette-kinds.ts'
import { TestChat } from './test-chat.tsx'
import { startRun, type TestRun } from './test-run.ts'
import { useEditor } from './use-editor.ts'
import { shortcuts, useEditorKeys } from './use-editor-keys.ts'
import type { useFlowDraft } from './use-flow-draft.ts'
import { isSameFlow } from './use-flow-saves.ts'

const titles = {
  bot: { name: 'Bot Builder', test: 'Test Bot', runs: 'Sessions' },
  workflow: { name: 'Workflow Builder', test: 'Test Workflow', runs: 'Runs' },
} as const

const none: readonly never[] = []

/** Frame of bar, palette, canvas and inspector or test; on narrow windows all but bar and canvas are sheets. */
export function EditorFrame({
  what,
  name,
  status,
  saving,
  actions,
  panel,
  panelTitle = titles[what].runs,
  onPanelClose,
  drawn,
  onKeepTest,
  onSave,
  onRename,
  newer,
  onShown,
  theirs,
  onTaken,
  onLater,
  draft,
}: Omit<FlowEditorProps, 'draft'> & { draft: ReturnType<typeof useFlowDraft> }) {
  const { flow, change } = draft
  const editor = useEditor(draft)
  const compact = useMedia('(max-width: 1023px)')
  const [sheet, setSheet] = useState<SheetName>()
  const [run, setRun] = useState<TestRun>()
  const timeZone = useUser().data?.timezone || defaultTimeZone
  const { screenToFlowPosition } = useReactFlow()

  const save = async () => {
    if (saving || !draft.dirty) return !saving
    try {
      await onSave(flow)
    } catch {
      return false
    }
    draft.markSaved(flow)
    toast.success('Changes saved.')
    return true
  }
  const keepTest = async (test: string, script: FlowScript) => {
    try {
      await onKeepTest?.({ name: test, script, draft: flow })
      toast.success(`The test ${test} is kept.`)
      return true
    } catch (error) {
      toast.error(explain(error, 'The test could not be kept.'))
      return false
    }
  }
  // Publishing takes the saved flow: the canvas shows it, unless the person has changes of their own, about which saving asks.
  const showNewer = useEffectEvent((saved: DraftFlow) => {
    if (!isSameFlow(saved, flow)) {
      draft.replace(saved)
      toast.note(`Someone else has saved ${name}. Undo brings back what was here.`)
    }
    onShown()
  })
  useEffect(() => {
    if (newer && !draft.dirty) showNewer(newer)
  }, [newer, draft.dirty])
  const { attributes, facts } = useChoices()
  const restart = () => setRun((before) => startRun(what, Date.now(), { person: before?.person, attributes, ...facts }))
  const isDrawn = drawn !== undefined
  useEditorKeys({ save: () => void save(), ...(!isDrawn && { undo: draft.undo, redo: draft.redo, ...editor }) })
  const commands = useMemo(
    () => (isDrawn ? [] : [{ id: 'arrange', title: `Arrange nodes of ${name}`, run: () => void editor.arrange() }]),
    [name, editor.arrange, isDrawn],
  )
  useScreenCommands(commands, shortcuts)

  const add = (kind: NodeKind, at?: Position) => {
    // A node that is added is seen: the draft comes back in place of what is drawn.
    if (isDrawn) onPanelClose?.()
    editor.add(kind, at)
    if (compact && !at) setSheet('inspector')
  }
  const drop = (event: DragEvent) => {
    const kind = kindOf({ kind: event.dataTransfer.getData(dragType) })
    if (!kind) return
    event.preventDefault()
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY })
    add(kind, { x: x - nodeSize.width / 2, y: y - 24 })
  }
  const handle = {
    dirty: draft.dirty,
    saving,
    flow,
    save,
    reveal: editor.reveal,
    put: (other: DraftFlow) => change(() => other),
  }
  const beside = panel?.(handle)
  const palette = <Palette what={what} onAdd={(kind) => add(kind)} />
  const inspector = (
    <Inspector
      what={what}
      flow={flow}
      problems={editor.problems}
      selected={editor.selected}
      revision={draft.revision}
      onChange={(id, values, isApart) =>
        change((before) => changeNode(before, id, values), isApart ? undefined : `form ${id}`)
      }
      onLead={editor.lead}
      onSelect={editor.reveal}
      onDuplicate={editor.duplicate}
      onRemove={editor.removeSelected}
    />
  )
  const chat = run && (
    <TestChat
      what={what}
      flow={flow}
      run={run}
      timeZone={timeZone}
      onChange={setRun}
      onRestart={restart}
      onKeep={onKeepTest && keepTest}
    />
  )
  const closeTest = () => setRun(undefined)
  const panes = {
    chat,
    beside,
    inspector,
    testTitle: titles[what].test,
    panelTitle,
    onTestClose: closeTest,
    onPanelClose,
  }

  return (
    <section className={styles['editor']} aria-label={titles[what].name}>
      <EditorBar
        name={name}
        status={status}
        saving={saving}
        draft={draft}
        isDrawn={isDrawn}
        problems={editor.problems.length}
        testLabel={titles[what].test}
        testing={run !== undefined}
        onRename={onRename}
        onProblems={() => {
          editor.select([])
          closeTest()
          setSheet('inspector')
        }}
        onArrange={() => void editor.arrange()}
        onTest={run ? closeTest : restart}
        onSave={() => void save()}
      >
        {actions?.(handle)}
      </EditorBar>
      <div className={styles['body']}>
        {!compact && (
          <aside className={styles['left']} aria-label="Nodes to add">
            {palette}
          </aside>
        )}
        <div className={styles['canvas']}>
          <Canvas
            flow={drawn?.flow ?? flow}
            problems={drawn ? none : editor.problems}
            selected={drawn ? none : editor.selected}
            activeNode={drawn ? (drawn.active ?? null) : (run?.state.nodeId ?? null)}
            drawn={drawn}
            onSelect={editor.select}
            onMove={editor.move}
            onConnect={({ source, branch, target }) => editor.lead(source, branch, target)}
            onRemove={editor.remove}
            onDrop={drop}
            onOpen={() => setSheet('inspector')}
          >
            <CanvasTools />
            {drawn && <p className={styles['drawn']}>{drawn.title}</p>}
          </Canvas>
          {flow.nodes.length === 0 && (
            <p className={styles['blank']}>The canvas is empty. Start with a trigger: what starts this flow?</p>
          )}
          {compact && <Dock isChosen={editor.selected.length > 0} onSheet={setSheet} />}
        </div>
        {!compact && <SidePane {...panes} />}
      </div>
      {/* A question that stands open is not covered. */}
      {compact && !theirs && (
        <PaneSheets {...panes} palette={palette} sheet={sheet} onSheetClose={() => setSheet(undefined)} />
      )}
      <FlowConflict
        what={what}
        mine={flow}
        theirs={theirs}
        saving={saving}
        onKeepMine={() => void save()}
        onTakeTheirs={(saved) => {
          draft.replace(saved)
          onTaken()
        }}
        onLater={onLater}
      />
      <p className="visually-hidden" role="status">
        {editor.announcement}
      </p>
    </section>
  )
}
