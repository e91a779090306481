/** Tells whoever has started this process, as often as asked, what CPU time it has used, and what memory it has. */
process.on('message', (question: unknown) => {
  if (question !== 'used') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1_000, bytes: process.memoryUsage.rss() })
})
