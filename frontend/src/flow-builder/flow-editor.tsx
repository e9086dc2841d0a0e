import { ReactFlowProvider } from '@xyflow/react'
import { useMemo } from 'react'
import { useScreenDepth } from '../lib/screen-depth.ts'
import { LeaveWarning } from '../ui/leave-warning.tsx'
import { ChoicesProvider, type FlowEditorProps } from './builder-context.ts'
import { EditorFrame } from './editor-frame.tsx'
import { useFlowDraft } from './use-flow-draft.ts'

const none: readonly never[] = []

/** The builder of a bot's or workflow's flow. The address names what is open by `what`. */
export function FlowEditor({
  bots = none,
  templates = none,
  tags = none,
  members = none,
  attributes = none,
  segments = none,
  connections = none,
  forms = none,
  facts,
  workflowId,
  ...props
}: FlowEditorProps) {
  const choices = useMemo(
    () => ({ bots, templates, tags, members, attributes, segments, connections, forms, facts, workflowId }),
    [bots, templates, tags, members, attributes, segments, connections, forms, facts, workflowId],
  )
  const draft = useFlowDraft(props.draft)
  useScreenDepth(props.name, props.onLeave)
  return (
    <ChoicesProvider value={choices}>
      <ReactFlowProvider>
        <EditorFrame {...props} draft={draft} />
      </ReactFlowProvider>
      <LeaveWarning active={draft.dirty && !props.saving} what={props.name} parameter={props.what} />
    </ChoicesProvider>
  )
}
