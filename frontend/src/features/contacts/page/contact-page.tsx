import EditOutlined from '@ant-design/icons/EditOutlined'
import MessageOutlined from '@ant-design/icons/MessageOutlined'
import TagOutlined from '@ant-design/icons/TagOutlined'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useCallback, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { Navigate, useNavigate, useParams } from '../../../lib/navigation.ts'
import { useScreenDepth } from '../../../lib/screen-depth.ts'
import { ActionLink } from '../../../ui/action.tsx'
import { NotHere } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { Skeleton, SkeletonBar } from '../../../ui/skeleton.tsx'
import { contactOptions } from '../api.ts'
import { ContactDetails, ContactHeading } from '../details/contact-details.tsx'
import { TagDialog } from '../edit/tag-dialog.tsx'
import { Duplicates } from '../merge/duplicates.tsx'
import { MergedContacts } from '../merge/merged-contacts.tsx'
import { useBulk } from '../use-bulk.ts'
import { ContactCampaigns } from './contact-campaigns.tsx'
import { ContactConversations } from './contact-conversations.tsx'
import styles from './contact-page.module.css'
import { ContactTimeline } from './contact-timeline.tsx'
import { DeletedContact } from './deleted-contact.tsx'
import { PersonActions } from './person-actions.tsx'

const EditContact = lazy(async () => ({ default: (await import('../edit/contact-dialog.tsx')).EditContact }))

/** One contact, at an address of their own. */
export function ContactPage() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const leave = useCallback(() => void navigate('/contacts'), [navigate])
  const { data, error, isFetching, refetch } = useQuery(contactOptions(id))
  const isGone = error instanceof ApiError && error.status === 404
  useScreenDepth(isGone ? 'Not found' : (data?.name ?? 'Contact'), leave)
  if (isGone)
    return (
      <Page>
        <DeletedContact id={id} absent={<NotHere what="contact" onLeave={leave} />} />
      </Page>
    )
  // It was merged into another one, which stands at an address of its own.
  if (data && data.id !== id) return <Navigate to={`/contacts/${data.id}`} replace />
  if (data) return <Loaded contact={data} />
  return (
    <Page>
      {error && !isFetching ? (
        <ErrorState
          title="The contact could not be loaded"
          message="Nothing is lost. Check your connection and try again."
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton className={styles['columns']}>
          <SkeletonBar height="420px" />
          <SkeletonBar height="220px" />
        </Skeleton>
      )}
    </Page>
  )
}

function Loaded({ contact }: { contact: Contact }) {
  const { addTags } = useBulk()
  const mayNotSeeCampaigns = useIsRefused('campaigns:read')
  const [isTagging, setTagging] = useState(false)
  const [isEditing, setEditing] = useState(false)
  return (
    <Page>
      <div className={styles['head']}>
        <ContactHeading contact={contact} />
        <div className={styles['actions']}>
          <Button icon={<TagOutlined aria-hidden />} onClick={() => setTagging(true)}>
            Add Tags
          </Button>
          <Button icon={<EditOutlined aria-hidden />} onClick={() => setEditing(true)}>
            Edit Contact
          </Button>
          <ActionLink to={`/conversations?contact=${contact.id}`} primary>
            <MessageOutlined aria-hidden /> Message
          </ActionLink>
          <PersonActions contact={contact} />
        </div>
      </div>
      <div className={styles['columns']}>
        <section className={styles['card']} aria-label="Details">
          <ContactDetails contact={contact} />
        </section>
        <div className={styles['beside']}>
          <Duplicates contactId={contact.id} />
          <ContactConversations contactId={contact.id} />
          {!mayNotSeeCampaigns && <ContactCampaigns contactId={contact.id} />}
          <MergedContacts contactId={contact.id} />
        </div>
        <ContactTimeline contactId={contact.id} />
      </div>
      <TagDialog
        open={isTagging}
        whom={contact.name}
        onClose={() => setTagging(false)}
        onAdd={(tags) => {
          setTagging(false)
          void addTags({ ids: [contact.id] }, tags, { name: contact.name })
        }}
      />
      <Suspense>{isEditing && <EditContact id={contact.id} onClose={() => setEditing(false)} />}</Suspense>
    </Page>
  )
}
