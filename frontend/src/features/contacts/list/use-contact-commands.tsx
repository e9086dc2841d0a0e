import type { Contact } from '@parley/contracts/contacts/contacts'
import { defaultPageSize } from '@parley/contracts/core/records'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { formatConstant } from '../../../lib/format.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import type { Selection } from '../api.ts'
import { useBulk } from '../use-bulk.ts'
import type { RowCommands } from './contact-row.tsx'

const TagDialog = lazy(async () => ({ default: (await import('../edit/tag-dialog.tsx')).TagDialog }))

interface Picked {
  readonly selection: Selection
  readonly count: number
  /** The selection has been dealt with. */
  readonly onDone: () => void
  /** One of them is gone. */
  readonly onGone: (id: string) => void
}

/** Returns the actions for one contact or for those selected, and their dialogs. */
export function useContactCommands({
  selection: picked,
  onOpen,
  onEdit,
}: {
  selection: Picked
} & Pick<RowCommands, 'onOpen' | 'onEdit'>): {
  commands: RowCommands
  tagSelected: () => void
  /** Absent for members who may not. */
  deleteSelected: (() => void) | undefined
  dialogs: ReactNode
} {
  const { remove, addTags } = useBulk()
  const mayNotDelete = useIsRefused('contacts:delete')
  const [tagging, setTagging] = useState<{ contact?: Contact; open: boolean }>({ open: false })
  const [confirming, setConfirming] = useState(false)
  // Once opened it stays mounted, so that it can close with its motion.
  const [asked, setAsked] = useState(false)
  if (tagging.open && !asked) setAsked(true)
  const one = tagging.contact
  const many = picked.count === 1 ? '1 contact' : `${formatConstant(picked.count)} contacts`

  function removeSelected() {
    setConfirming(false)
    void remove(picked.selection)
    picked.onDone()
  }

  return {
    commands: {
      onOpen,
      onEdit,
      onAddTags: (contact) => setTagging({ contact, open: true }),
      ...(!mayNotDelete && {
        onDelete: ({ id, name }: Contact) => {
          picked.onGone(id)
          void remove({ ids: [id] }, name)
        },
      }),
    },
    tagSelected: () => setTagging({ open: true }),
    // Undo restores a few visibly; beyond a page, the contacts to be deleted are not all in view.
    deleteSelected: mayNotDelete
      ? undefined
      : () => (picked.count > defaultPageSize ? setConfirming(true) : removeSelected()),
    dialogs: (
      <>
        <Suspense>
          {asked && (
            <TagDialog
              open={tagging.open}
              whom={one?.name ?? many}
              onClose={() => setTagging((before) => ({ ...before, open: false }))}
              {...(!one && 'filter' in picked.selection && { asksForWorkflows: picked.count })}
              onAdd={(tags, startWorkflows) => {
                setTagging((before) => ({ ...before, open: false }))
                if (one) void addTags({ ids: [one.id] }, tags, { name: one.name })
                else {
                  void addTags(picked.selection, tags, { startWorkflows })
                  picked.onDone()
                }
              }}
            />
          )}
        </Suspense>
        <ConfirmDialog
          open={confirming}
          title={`Delete ${many}?`}
          confirmLabel="Delete"
          onConfirm={removeSelected}
          onClose={() => setConfirming(false)}
        >
          They are removed from every list and segment. You can undo this for a while.
        </ConfirmDialog>
      </>
    ),
  }
}
