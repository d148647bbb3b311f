// The least that a bot with Bolt takes to start.
await import('@slack/bolt');
console.log('Bolt is imported');
