// Loaded before a bot: puts its clock off, like that of a machine without NTP.
const byMs = Number(process.env.CLOCK_WRONG_BY_MS ?? 0);
const rightNow = Date.now.bind(Date);
Date.now = () => rightNow() + byMs;
