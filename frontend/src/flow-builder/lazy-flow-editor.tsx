import { lazy, Suspense } from 'react'
import type { FlowEditorProps } from './builder-context.ts'
import { EditorSkeleton } from './editor-skeleton.tsx'

const Editor = lazy(async () => ({ default: (await import('./flow-editor.tsx')).FlowEditor }))

/** The builder, loaded when it is first opened: lists stay light without the canvas. */
export const FlowEditor = (props: FlowEditorProps) => (
  <Suspense fallback={<EditorSkeleton />}>
    <Editor {...props} />
  </Suspense>
)
