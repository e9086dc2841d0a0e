import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Space } from 'antd'
import { type ReactNode, useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { formatDay } from '../../../lib/format.ts'
import { toast } from '../../../ui/toast.ts'
import { deletedContactOptions, useChangeMany } from '../api.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { useExportData } from './person-actions.tsx'

const restorableMs = 30 * 86_400_000

/** A deleted contact, which can be restored, exported and erased until it is erased by itself. @param absent shown where there is none. */
export function DeletedContact({ id, absent }: { id: string; absent: ReactNode }) {
  const { data, isLoading } = useQuery(deletedContactOptions(id))
  if (isLoading) return null
  return data?.deletedAt ? <Deleted contact={data} deletedAt={new Date(data.deletedAt)} /> : absent
}

function Deleted({ contact, deletedAt }: { contact: Contact; deletedAt: Date }) {
  const { mutateAsync: change, isPending } = useChangeMany()
  const exportData = useExportData(contact)
  const [isErasing, setErasing] = useState(false)
  const mayNotRestore = useIsRefused('contacts:delete')
  const mayNotErase = useIsRefused('contacts:erase')
  const erasedAt = new Date(deletedAt.getTime() + restorableMs)

  async function restore(): Promise<void> {
    try {
      await change({ ids: [contact.id], action: { kind: 'restore' } })
      toast.success(`${contact.name} restored.`)
    } catch (error) {
      toast.error(explain(error, 'The contact could not be restored. Try again.'))
    }
  }

  return (
    <>
      <Alert
        type="warning"
        showIcon
        title={<h1 dir="auto">{contact.name}</h1>}
        description={`Deleted on ${formatDay(deletedAt.toISOString())}. Unless restored, the contact is erased with all conversations on ${formatDay(erasedAt.toISOString())}.`}
        action={
          <Space wrap>
            {!mayNotRestore && (
              <Button type="primary" loading={isPending} onClick={() => void restore()}>
                Restore
              </Button>
            )}
            {!mayNotErase && <Button onClick={() => void exportData()}>Export Data</Button>}
            {!mayNotErase && (
              <Button danger onClick={() => setErasing(true)}>
                Erase for Good
              </Button>
            )}
          </Space>
        }
      />
      <EraseDialog open={isErasing} contact={contact} onClose={() => setErasing(false)} />
    </>
  )
}
