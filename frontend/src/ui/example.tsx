import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined'
import { createContext, type ReactNode, useContext, useId } from 'react'
import styles from './example.module.css'
import { toast } from './toast.ts'

const Scope = createContext<string | undefined>(undefined)

/** Scope of content that shows examples because no service keeps its records. @param what they are: `figures`, `bots`. */
export function ExampleScope({ what, children }: { what: string; children: ReactNode }) {
  return <Scope value={what}>{children}</Scope>
}

/** Says that examples are not the workspace's own records. Nothing outside an `ExampleScope`. @param id for what it describes. */
export function ExampleLine({ id }: { id?: string | undefined }) {
  const what = useContext(Scope)
  if (what === undefined) return null
  return (
    <p id={id} className={styles['line']} role="note">
      <InfoCircleOutlined aria-hidden />
      Example {what}: not your data. Nothing here is saved.
    </p>
  )
}

/** Returns a note to show beside a button that saves, and the id that describes it. Nothing outside an `ExampleScope`. */
export function useSaveNote(): { note: ReactNode; noteId: string | undefined } {
  const isExample = useContext(Scope) !== undefined
  const id = useId()
  if (!isExample) return { note: null, noteId: undefined }
  return {
    note: (
      <span id={id} className={styles['note']}>
        An example: not saved.
      </span>
    ),
    noteId: id,
  }
}

/** Confirms a change; of an example it says that it is not kept. */
export function useConfirmation(): (text: string) => void {
  const isExample = useContext(Scope) !== undefined
  return (text) => {
    if (isExample) toast.note(`${text} This is an example, which is gone when the page is loaded again.`)
    else toast.success(text)
  }
}
