from .command_line import main

main()
