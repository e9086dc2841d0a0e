import DoubleRightOutlined from '@ant-design/icons/DoubleRightOutlined'
import NotificationOutlined from '@ant-design/icons/NotificationOutlined'
import RightOutlined from '@ant-design/icons/RightOutlined'
import type { Message } from '@parley/contracts/inbox/messages'
import styles from './message-bubble.module.css'
import { MessageCard } from './message-card.tsx'

/** Shows a message's origin: another chat, an ad or post that the customer has pressed, or a product of the catalog. */
export function MessageOrigin({ message: { forwarded, referral, productId } }: { message: Message }) {
  return (
    <>
      {forwarded && (
        <p className={styles['label']}>
          {forwarded === 'many_times' ? (
            <>
              <DoubleRightOutlined aria-hidden /> Forwarded many times
            </>
          ) : (
            <>
              <RightOutlined aria-hidden /> Forwarded
            </>
          )}
        </p>
      )}
      {referral && <Referral referral={referral} />}
      {productId && (
        <p className={styles['label']}>
          About the product <span dir="auto">{productId}</span>
        </p>
      )}
    </>
  )
}

const origins = { ad: 'From your ad', post: 'From your post' } as const

function Referral({ referral: { kind, headline, body, url = '' } }: { referral: NonNullable<Message['referral']> }) {
  return (
    <>
      <p className={styles['label']}>{origins[kind]}</p>
      <MessageCard
        icon={<NotificationOutlined />}
        title={headline ?? body ?? url}
        detail={headline && body ? body : url && url !== (headline ?? body ?? url) ? url : ''}
        url={url}
      />
    </>
  )
}
