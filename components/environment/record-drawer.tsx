'use client'

import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#components/ui/dialog.tsx'
import { WhenRead } from './when-read.tsx'

type RecordDrawerProps<Id, Data, Key extends QueryKey> = {
  /** The record that is open; null closes the drawer. */
  openId: Id | null
  read: (id: Id) => UseQueryOptions<Data, Error, Data, Key>
  /** The subject of the error's sentence: "The fee". */
  what: string
  /** Gets undefined while the record loads. */
  renderTitle: (data: Data | undefined) => ReactNode
  renderFooter?: (data: Data) => ReactNode
  onClose: () => void
  children: (data: Data) => ReactNode
}

/** A drawer with one record, which is read when it opens. While it closes it still shows the record. */
export function RecordDrawer<Id, Data, Key extends QueryKey>({ openId, ...props }: RecordDrawerProps<Id, Data, Key>) {
  const [shown, setShown] = useState(openId)
  if (openId !== null && openId !== shown) setShown(openId)
  return shown !== null && <Drawer {...props} id={shown} isOpen={openId !== null} />
}

function Drawer<Id, Data, Key extends QueryKey>({
  id,
  isOpen,
  read,
  what,
  renderTitle,
  renderFooter,
  onClose,
  children,
}: Omit<RecordDrawerProps<Id, Data, Key>, 'openId'> & { id: Id; isOpen: boolean }) {
  const query = useQuery({ ...read(id), enabled: isOpen })
  const { data } = query
  return (
    <Dialog
      kind="drawer-end"
      isOpen={isOpen}
      onClose={onClose}
      title={renderTitle(data)}
      footer={data === undefined ? undefined : renderFooter?.(data)}
    >
      <WhenRead query={query} what={what} blocks={['h-72']}>
        {children}
      </WhenRead>
    </Dialog>
  )
}
