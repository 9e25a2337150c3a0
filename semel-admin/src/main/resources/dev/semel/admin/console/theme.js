// Applies the saved theme before the first paint. A classic script, because a module would run after it.
(function () {
    var saved = null;
    try {
        saved = localStorage.getItem('semel-theme');
    } catch (refused) {
        // Storage is switched off: the system's theme applies.
    }
    if (saved === 'light' || saved === 'dark') {
        document.documentElement.dataset.theme = saved;
    }
})();
