import EnvironmentOutlined from '@ant-design/icons/EnvironmentOutlined'
import type { MessageContent } from '@parley/contracts/inbox/messages'
import { type Media, MediaContent } from '../thread/media-content.tsx'
import { MessageCard } from '../thread/message-card.tsx'

type Header = NonNullable<Extract<MessageContent, { type: 'template' }>['header']>

/** The file or place above the text of a template. */
export function TemplateHeader({ header }: { header: Header }) {
  if (header.kind === 'location') {
    const { latitude, longitude, name, address } = header
    const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
    return <MessageCard icon={<EnvironmentOutlined />} title={name} detail={address} url={url} />
  }
  const { kind: type, ...file } = header
  const content: Media = { type, ...file, url: `/api/media/${file.mediaId}` }
  return <MediaContent content={content} />
}
