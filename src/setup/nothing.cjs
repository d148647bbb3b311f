// In the bundle, this stands for packages that nothing uses.
module.exports = {};
