import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button } from 'antd'
import { Page } from '../../ui/page.tsx'
import { ContactDialog, EditContact } from './edit/contact-dialog.tsx'
import { ContactBrowser } from './list/contact-browser.tsx'
import { noFilters, useContactsUrl } from './url.ts'

/** Specification section 2, Contacts. */
export function ContactsPage() {
  const [url, change] = useContactsUrl()
  const showNewest = { ...noFilters, sort: 'newest' } as const
  return (
    <Page
      description="Everyone who writes to you, and everyone you may write to."
      actions={
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ new: '1' })}>
          Add Contact
        </Button>
      }
    >
      <ContactBrowser url={url} change={change} />
      {url.new && (
        <ContactDialog
          onClose={() => change({ new: undefined })}
          onSaved={() => change({ new: undefined, ...showNewest })}
        />
      )}
      {url.edit && <EditContact id={url.edit} onClose={() => change({ edit: undefined })} />}
    </Page>
  )
}
