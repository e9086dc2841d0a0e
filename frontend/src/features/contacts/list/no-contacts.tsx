import TeamOutlined from '@ant-design/icons/TeamOutlined'
import { Button } from 'antd'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadSampleData } from '../../../ui/load-sample-data.tsx'
import { type ChangeUrl, noFilters } from '../url.ts'

/** Replaces an empty list: no contact matches, or there are none yet. */
export function NoContacts({ hasFilters, change }: { hasFilters: boolean; change: ChangeUrl }) {
  if (hasFilters)
    return (
      <EmptyState
        title="No contacts match"
        message="Try other words, or fewer filters."
        action={<Button onClick={() => change(noFilters)}>Clear filters</Button>}
      />
    )
  return (
    <EmptyState
      icon={<TeamOutlined />}
      title="No contacts yet"
      message="Contacts are the people you message. They appear automatically when they message you, or you can import your own."
      action={
        <>
          <Button onClick={() => change({ import: '1' })}>Import a CSV file</Button>
          <Button onClick={() => change({ new: '1' })}>Add a contact</Button>
          <LoadSampleData />
        </>
      }
    />
  )
}
